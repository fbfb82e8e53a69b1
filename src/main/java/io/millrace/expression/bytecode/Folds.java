package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.expression.bytecode.GroupRows.Row;
import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.FoldKind;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Magnitude;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.runtime.DecimalMath;
import io.millrace.expression.runtime.WideMath;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes the code of folds: loops over the rows of a part that belong to one parent, up to the row that decides the
 * result. A fold inside of another becomes a loop inside of its loop. The loops keep their state in local variables, so
 * that the stack may have operands of the caller.
 */
final class Folds {

    private final RecordCode record;
    private final CodeBuilder code;
    private final Emitter values;

    Folds(RecordCode record, Emitter values) {
        this.record = record;
        this.code = record.code;
        this.values = values;
    }

    /** Pushes the result of a fold other than {@link FoldKind#ANY}, or jumps if there is none. */
    void value(Fold fold, Label absent) {
        switch (fold.kind()) {
            case ANY -> throw new IllegalStateException("a condition jumps");
            case COUNT -> count(fold);
            case FIRST, LAST, AT -> pick(fold, absent, () -> values.value(fold.value(), absent));
            case SUM -> sum(fold);
            case MIN, MAX -> extreme(fold, absent);
            case AVG -> average(fold, absent);
        }
    }

    /** Jumps by whether any row passes the filter. */
    void any(Fold fold, Label target, boolean when) {
        if (fold.isOfAll()) {
            record.groups.pushFirst(fold.path());
            record.groups.pushEnd(fold.path());
            if (when) {
                code.if_icmplt(target);
            } else {
                code.if_icmpge(target);
            }
            return;
        }
        Label none = code.newLabel();
        Label found = when ? target : none;
        forward(fold.path(), _ -> filter(fold, found, true));
        if (!when) {
            code.goto_(target);
        }
        code.labelBinding(none);
    }

    private void count(Fold fold) {
        if (fold.isOfAll()) {
            record.groups.pushEnd(fold.path());
            record.groups.pushFirst(fold.path());
            code.isub().i2l();
            return;
        }
        int count = zero(TypeKind.INT);
        passing(fold, _ -> code.iinc(count, 1));
        code.iload(count).i2l();
    }

    /**
     * Computes the value of one row, or jumps if there is no such row.
     *
     * @param compute writes the code at the row
     */
    void pick(Fold fold, Label absent, Runnable compute) {
        if (fold.isOfAll()) {
            pickAt(fold, absent, compute);
            return;
        }
        Label found = code.newLabel();
        int before = code.allocateLocal(TypeKind.INT);
        record.pushInt(fold.index());
        code.istore(before);
        Consumer<Label> row = next -> {
            filter(fold, next, false);
            if (fold.kind() == FoldKind.AT) {
                Label reached = code.newLabel();
                code.iload(before).ifeq(reached).iinc(before, -1).goto_(next);
                code.labelBinding(reached);
            }
            compute.run();
            code.goto_(found);
        };
        if (fold.kind() == FoldKind.LAST) {
            backward(fold.path(), row);
        } else {
            forward(fold.path(), row);
        }
        code.goto_(absent).labelBinding(found);
    }

    /** Computes the value of a row without a filter: no loop is needed. */
    private void pickAt(Fold fold, Label absent, Runnable compute) {
        String path = fold.path();
        boolean last = fold.kind() == FoldKind.LAST;
        int limit = code.allocateLocal(TypeKind.INT);
        if (last) {
            record.groups.pushFirst(path);
            code.istore(limit);
            record.groups.pushEnd(path);
            code.iconst_1().isub();
        } else {
            record.groups.pushEnd(path);
            code.istore(limit);
            record.groups.pushFirst(path);
            record.pushInt(fold.index());
            code.iadd();
        }
        at(path, row -> {
            code.istore(row.index()).iload(row.index()).iload(limit);
            // An index that overflows is negative, so less than the first one.
            if (last) {
                code.if_icmplt(absent);
            } else {
                code.if_icmpge(absent);
            }
            offset(row);
            compute.run();
        });
    }

    private void sum(Fold fold) {
        int sum = zeroSum(fold);
        passing(fold, next -> add(fold.value(), sum, next));
        loadSum(fold, sum);
    }

    /** Returns whether the sum of the values needs two longs. */
    private static boolean hasWideSum(Ir value) {
        return value.type() instanceof ValueType.Decimal(var ignoredScale, int bits)
                && Magnitude.ofElements(bits) > ValueType.Decimal.LONG_BITS;
    }

    /** Returns a new local variable that is 0; a wide sum takes two, the upper half in the second. */
    private int zeroSum(Fold fold) {
        int sum = zero(Emitter.kind(fold.value()));
        if (hasWideSum(fold.value())) {
            zero(TypeKind.LONG);
        }
        return sum;
    }

    private void loadSum(Fold fold, int sum) {
        code.loadLocal(Emitter.kind(fold.value()), sum);
        if (hasWideSum(fold.value())) {
            code.lload(sum + TypeKind.LONG.slotSize());
        }
    }

    /** Adds the value of the row to a local variable, or jumps if it is absent. */
    private void add(Ir value, int sum, Label next) {
        if (hasWideSum(value)) {
            values.wide().value(value, next);
            values.wide().addTo(sum, sum + TypeKind.LONG.slotSize());
            return;
        }
        TypeKind kind = Emitter.kind(value);
        values.value(value, next);
        code.loadLocal(kind, sum);
        if (kind == TypeKind.DOUBLE) {
            code.dadd();
        } else {
            record.call(Math.class, "addExact", CD_long, CD_long, CD_long);
        }
        code.storeLocal(kind, sum);
    }

    private void extreme(Fold fold, Label absent) {
        if (fold.value().type().isWide()) {
            wideExtreme(fold, absent);
            return;
        }
        TypeKind kind = Emitter.kind(fold.value());
        boolean real = kind == TypeKind.DOUBLE;
        boolean smallest = fold.kind() == FoldKind.MIN;
        int extreme = code.allocateLocal(kind);
        int found = zero(TypeKind.INT);
        if (real) {
            code.loadConstant(smallest ? Double.NaN : Double.NEGATIVE_INFINITY);
        } else {
            code.loadConstant(smallest ? Long.MAX_VALUE : Long.MIN_VALUE);
        }
        code.storeLocal(kind, extreme);
        passing(fold, next -> {
            values.value(fold.value(), next);
            code.loadLocal(kind, extreme);
            String method = smallest ? "min" : "max";
            if (real) {
                record.call(DecimalMath.class, method, CD_double, CD_double, CD_double);
            } else {
                record.call(Math.class, method, CD_long, CD_long, CD_long);
            }
            code.storeLocal(kind, extreme).iconst_1().istore(found);
        });
        code.iload(found).ifeq(absent).loadLocal(kind, extreme);
    }

    private void wideExtreme(Fold fold, Label absent) {
        int extreme = values.allocate(fold.value());
        code.lconst_0().lconst_0();
        values.store(fold.value(), extreme);
        int found = zero(TypeKind.INT);
        passing(fold, next -> {
            int value = values.allocate(fold.value());
            Label replace = code.newLabel();
            values.value(fold.value(), next);
            values.store(fold.value(), value);
            code.iload(found).ifeq(replace);
            values.load(fold.value(), value);
            values.load(fold.value(), extreme);
            record.call(WideMath.class, "compare", CD_int, CD_long, CD_long, CD_long, CD_long);
            if (fold.kind() == FoldKind.MIN) {
                code.ifge(next);
            } else {
                code.ifle(next);
            }
            code.labelBinding(replace);
            values.load(fold.value(), value);
            values.store(fold.value(), extreme);
            code.iconst_1().istore(found);
        });
        code.iload(found).ifeq(absent);
        values.load(fold.value(), extreme);
    }

    private void average(Fold fold, Label absent) {
        TypeKind kind = Emitter.kind(fold.value());
        int sum = zeroSum(fold);
        int count = zero(TypeKind.INT);
        passing(fold, next -> {
            add(fold.value(), sum, next);
            code.iinc(count, 1);
        });
        code.iload(count).ifeq(absent);
        if (hasWideSum(fold.value())) {
            values.wide().average(sum, sum + TypeKind.LONG.slotSize(), count, fold.type());
            return;
        }
        code.loadLocal(kind, sum);
        if (fold.type() instanceof ValueType.Decimal) {
            code.iload(count).i2l().iconst_0();
            record.call(DecimalMath.class, "divide", CD_long, CD_long, CD_long, CD_int);
            return;
        }
        if (fold.value().type() != Basic.DOUBLE) {
            code.l2d();
        }
        code.iload(count).i2d().ddiv();
    }

    /** Returns a new local variable that is 0. */
    private int zero(TypeKind kind) {
        int local = code.allocateLocal(kind);
        switch (kind) {
            case DOUBLE -> code.dconst_0();
            case LONG -> code.lconst_0();
            default -> code.iconst_0();
        }
        code.storeLocal(kind, local);
        return local;
    }

    /**
     * Writes a loop over the rows that pass the filter, in order.
     *
     * @param row writes the code for a row; it may jump to the label that it receives, where the next row begins
     */
    private void passing(Fold fold, Consumer<Label> row) {
        forward(fold.path(), next -> {
            if (!fold.isOfAll()) {
                filter(fold, next, false);
            }
            row.accept(next);
        });
    }

    /**
     * Jumps by whether the row passes the filter. Several comparisons become one branch if possible: a misprediction
     * costs more than the comparisons that a branch for each of them would skip.
     */
    private void filter(Fold fold, Label target, boolean when) {
        List<Ir> conditions = fold.filter() instanceof Ir.And(var operands) ? operands : List.of(fold.filter());
        if (conditions.size() == 1 || BranchFreeConditions.prefix(conditions) < conditions.size()) {
            values.conditions().jump(fold.filter(), target, when);
            return;
        }
        new BranchFree(record, values).all(conditions);
        code.lconst_0().lcmp();
        if (when) {
            code.ifne(target);
        } else {
            code.ifeq(target);
        }
    }

    private void forward(String path, Consumer<Label> body) {
        int end = code.allocateLocal(TypeKind.INT);
        record.groups.pushEnd(path);
        code.istore(end);
        record.groups.pushFirst(path);
        at(path, row -> {
            code.istore(row.index());
            offset(row);
            Label next = code.newLabel();
            Label done = code.newLabel();
            Label head = code.newBoundLabel();
            code.iload(row.index()).iload(end).if_icmpge(done);
            body.accept(next);
            code.labelBinding(next).iinc(row.index(), 1);
            code.iload(row.offset()).loadConstant(row.group().rowLength());
            code.iadd().istore(row.offset()).goto_(head).labelBinding(done);
        });
    }

    private void backward(String path, Consumer<Label> body) {
        int first = code.allocateLocal(TypeKind.INT);
        record.groups.pushFirst(path);
        code.istore(first);
        record.groups.pushEnd(path);
        at(path, row -> {
            code.istore(row.index());
            Label done = code.newLabel();
            Label next = code.newBoundLabel();
            code.iinc(row.index(), -1).iload(row.index()).iload(first).if_icmplt(done);
            offset(row);
            body.accept(next);
            code.goto_(next).labelBinding(done);
        });
    }

    /** Sets the offset of the row at an index. */
    private void offset(Row row) {
        code.iload(row.index()).loadConstant(row.group().rowLength());
        code.imul().istore(row.offset());
    }

    /** Writes code that is at a row; what it computes is shared only in the code for the same row. */
    private void at(String path, Consumer<Row> body) {
        List<SharedValues.Known> outer = record.shared.enterRow(path);
        Row row = record.groups.enter(path);
        body.accept(row);
        record.groups.exit();
        record.shared.exitRow(outer);
    }
}
