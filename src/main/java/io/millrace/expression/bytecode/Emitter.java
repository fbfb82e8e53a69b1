package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.FoldKind;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.IrText;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.runtime.CalendarMath;
import io.millrace.expression.runtime.DecimalMath;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

/**
 * Writes the code of values: each leaves one long or double on the stack, a wide decimal two longs. If a value is
 * absent, the code jumps to a label instead, with the stack as it was before, so that the caller can have operands on
 * it.
 */
final class Emitter {

    private final RecordCode record;
    private final CodeBuilder code;
    private final FieldReads fields;
    private final Texts texts;
    private final Conditions conditions;
    private final FunctionCalls functions;
    private final Folds folds;
    private final WideValues wide;
    private final ShortForm shortForm;

    Emitter(RecordCode record) {
        this.record = record;
        this.code = record.code;
        this.fields = new FieldReads(record);
        this.texts = new Texts(record, this);
        this.conditions = new Conditions(record, this);
        this.functions = new FunctionCalls(record, this);
        this.folds = new Folds(record, this);
        this.wide = new WideValues(record, this);
        this.shortForm = new ShortForm(record, this);
    }

    Conditions conditions() {
        return conditions;
    }

    FunctionCalls functions() {
        return functions;
    }

    Folds folds() {
        return folds;
    }

    Texts texts() {
        return texts;
    }

    WideValues wide() {
        return wide;
    }

    ShortForm shortForm() {
        return shortForm;
    }

    /** Pushes a value that rejects the record if it is absent. */
    void required(Ir node) {
        if (!node.optional()) {
            // No code jumps to this label.
            value(node, code.startLabel());
            return;
        }
        Label absent = code.newLabel();
        Label done = code.newLabel();
        value(node, absent);
        code.goto_(done).labelBinding(absent);
        record.failAbsent(node);
        code.labelBinding(done);
    }

    /** Pushes a value, or jumps if it is absent. */
    void value(Ir node, Label absent) {
        OptionalInt known = record.shared.find(node);
        if (known.isPresent()) {
            load(node, known.getAsInt());
            return;
        }
        int mark = record.shared.mark();
        compute(node, absent);
        if (node.optional()) {
            // The code that follows can also be reached if the value is absent: shared values may not be set then.
            record.shared.release(mark);
        } else if (record.shared.wants(node)) {
            int local = allocate(node);
            store(node, local);
            load(node, local);
            record.shared.add(node, local);
        }
    }

    /** Returns a new local variable of a value; a wide one takes two, the upper half in the second. */
    int allocate(Ir node) {
        int local = code.allocateLocal(kind(node));
        if (node.type().isWide() && code.allocateLocal(TypeKind.LONG) != upper(local)) {
            throw new IllegalStateException("local variables are not allocated in a row");
        }
        return local;
    }

    private static int upper(int local) {
        return local + TypeKind.LONG.slotSize();
    }

    /** Stores the value on the stack. */
    void store(Ir node, int local) {
        if (node.type().isWide()) {
            code.lstore(upper(local));
        }
        code.storeLocal(kind(node), local);
    }

    /** Pushes a value that was stored. */
    void load(Ir node, int local) {
        code.loadLocal(kind(node), local);
        if (node.type().isWide()) {
            code.lload(upper(local));
        }
    }

    /** Drops the value on the stack. */
    void pop(Ir node) {
        code.pop2();
        if (node.type().isWide()) {
            code.pop2();
        }
    }

    /** Pushes a value as one of a type that may be wide although the value is not, or jumps if it is absent. */
    private void valueAs(ValueType type, Ir node, Label absent) {
        value(node, absent);
        if (type.isWide() && !(node instanceof Ir.Absent)) {
            wide.widen(node);
        }
    }

    static TypeKind kind(Ir node) {
        return node.type() == Basic.DOUBLE ? TypeKind.DOUBLE : TypeKind.LONG;
    }

    private void compute(Ir node, Label absent) {
        record.count();
        if (WideValues.computes(node)) {
            wide.compute(node, absent);
            return;
        }
        switch (node) {
            case Ir.Load(var field) -> fields.value(field, absent);
            case Ir.Constant(var ignoredType, long raw) -> code.loadConstant(raw);
            case Ir.Real(double real, var ignoredDecimal) -> code.loadConstant(real);
            case Ir.Absent _ -> code.goto_(absent);
            case NumberNode.Arithmetic arithmetic -> arithmetic(arithmetic);
            case NumberNode.Quotient(var left, int power, var right, var ignoredType) -> {
                required(left);
                required(right);
                record.pushInt(power);
                record.call(DecimalMath.class, "divide", CD_long, CD_long, CD_long, CD_int);
            }
            case NumberNode.Negation(var value) -> negation(value);
            case NumberNode.Absolute(var value) -> absolute(value);
            case NumberNode.Rounded(var value, int power, var mode) -> {
                required(value);
                wide.round(power, mode);
            }
            case NumberNode.Scaled(var value, long factor, var ignoredType) -> {
                value(value, absent);
                code.loadConstant(factor);
                record.call(Math.class, "multiplyExact", CD_long, CD_long, CD_long);
            }
            case NumberNode.ToDouble(var value) -> {
                value(value, absent);
                if (value.type() instanceof ValueType.Decimal(int scale, var ignoredBits)) {
                    record.pushInt(scale);
                    record.call(DecimalMath.class, "toDouble", CD_double, CD_long, CD_int);
                } else {
                    code.l2d();
                }
            }
            case NumberNode.Unsigned(var load) -> {
                fields.bits(load.field(), absent);
                code.loadConstant(Long.MIN_VALUE).lxor();
            }
            case Ir.Retyped(var value, var ignoredType) -> required(value);
            case Ir.Calendar(var function, var operands, var ignoredType) -> {
                operands.forEach(this::required);
                record.call(
                        CalendarMath.class,
                        function.method(),
                        CD_long,
                        Collections.nCopies(operands.size(), CD_long).toArray(ClassDesc[]::new));
            }
            case Ir.Call call -> functions.call(call, absent);
            case Ir.ByCode(var value, var table, var ignoredType) -> {
                value(value, absent);
                lookUp(table);
            }
            case Ir.Present(var value) -> required(value);
            case TextNode.TextLength(var value) -> texts.length(value);
            case TextNode.TextIndex(var value, var sought) -> texts.index(value, sought);
            case Ir.Choice(var condition, var ifTrue, var ifFalse, var type) -> {
                Label otherwise = code.newLabel();
                Label done = code.newLabel();
                conditions.jump(condition, otherwise, false);
                int mark = record.shared.mark();
                valueAs(type, ifTrue, absent);
                record.shared.release(mark);
                code.goto_(done).labelBinding(otherwise);
                valueAs(type, ifFalse, absent);
                record.shared.release(mark);
                code.labelBinding(done);
            }
            case Ir.Fallback fallback -> fallback(fallback, absent);
            case Ir.Condition condition -> truth(condition);
            case Fold fold when fold.kind() == FoldKind.ANY -> truth(fold);
            case Fold fold -> folds.value(fold, absent);
            case Ir.WideConstant _ -> throw new IllegalStateException("a wide value is computed elsewhere");
            case Ir.Text _,
                    TextNode.NameText _,
                    TextNode.Substring _,
                    TextNode.Mapped _,
                    TextNode.Joined _,
                    TextNode.Replaced _ ->
                throw new IllegalStateException("a text is no value of the stack: " + IrText.of(node));
        }
    }

    private void arithmetic(NumberNode.Arithmetic node) {
        required(node.left());
        required(node.right());
        if (node.type() == Basic.DOUBLE) {
            switch (node.operator()) {
                case ADD -> code.dadd();
                case SUB -> code.dsub();
                case MUL -> code.dmul();
                case DIV -> code.ddiv();
                case REM -> code.drem();
            }
            return;
        }
        switch (node.operator()) {
            case ADD -> record.call(Math.class, "addExact", CD_long, CD_long, CD_long);
            case SUB -> record.call(Math.class, "subtractExact", CD_long, CD_long, CD_long);
            case MUL -> record.call(Math.class, "multiplyExact", CD_long, CD_long, CD_long);
            case DIV -> divide("divideWhole", node.right());
            case REM -> divide("remainder", node.right());
        }
    }

    /**
     * Divides by the value on the stack. A constant divisor other than 0 and -1 cannot fail, and the JIT compiler
     * replaces the division by a multiplication.
     */
    private void divide(String checked, Ir divisor) {
        if (divisor instanceof Ir.Constant(var ignoredType, long raw) && raw != 0 && raw != -1) {
            if (checked.equals("remainder")) {
                code.lrem();
            } else {
                code.ldiv();
            }
        } else {
            record.call(DecimalMath.class, checked, CD_long, CD_long, CD_long);
        }
    }

    private void negation(Ir value) {
        if (value.type() == Basic.DOUBLE) {
            // Zero minus the value, as in SpEL: the negation of zero is zero, not minus zero.
            code.dconst_0();
            required(value);
            code.dsub();
        } else {
            required(value);
            record.call(Math.class, "negateExact", CD_long, CD_long);
        }
    }

    private void absolute(Ir value) {
        required(value);
        if (value.type() == Basic.DOUBLE) {
            record.call(Math.class, "abs", CD_double, CD_double);
        } else {
            record.call(Math.class, "absExact", CD_long, CD_long);
        }
    }

    private void lookUp(List<Integer> byCode) {
        // The field read has checked that the dictionary contains the code.
        int[] table = byCode.stream().mapToInt(Integer::intValue).toArray();
        code.l2i();
        record.pool.push(code, table);
        code.swap().iaload();
        if (byCode.contains(Ir.ByCode.NO_RESULT)) {
            Label found = code.newLabel();
            code.dup().loadConstant(Ir.ByCode.NO_RESULT);
            code.if_icmpne(found);
            record.fail("noResult", "a name has no part from or to there");
            code.labelBinding(found);
        }
        code.i2l();
    }

    private void fallback(Ir.Fallback node, Label absent) {
        Label other = code.newLabel();
        Label done = code.newLabel();
        valueAs(node.type(), node.value(), other);
        if (node.empty().isPresent()) {
            code.dup2().loadConstant(node.empty().getAsLong());
            code.lcmp().ifne(done).pop2();
        } else {
            code.goto_(done);
        }
        code.labelBinding(other);
        int mark = record.shared.mark();
        valueAs(node.type(), node.other(), absent);
        record.shared.release(mark);
        code.labelBinding(done);
    }

    private void truth(Ir node) {
        Label no = code.newLabel();
        Label done = code.newLabel();
        conditions.decide(node, no, false);
        code.lconst_1().goto_(done).labelBinding(no).lconst_0().labelBinding(done);
    }
}
