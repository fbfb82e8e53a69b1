package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Magnitude;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.runtime.DecimalMath;
import io.millrace.expression.runtime.Rounding;
import io.millrace.expression.runtime.WideMath;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/**
 * Writes the code of decimals that may be past 64 bits. Each is two longs on the stack: the lower 64 bits, then the
 * upper 64 bits with the sign. Operands are held in local variables, so nothing is allocated. An operation is checked
 * for overflow only if its operands are wide enough for it.
 */
final class WideValues {

    private static final ClassDesc MODE = ClassDescs.of(RoundingMode.class);

    private final RecordCode record;
    private final CodeBuilder code;
    private final Emitter values;

    WideValues(RecordCode record, Emitter values) {
        this.record = record;
        this.code = record.code;
        this.values = values;
    }

    /** The local variables of a value. */
    private record Halves(int low, int high) {}

    /**
     * Returns whether a comparison of a product needs neither of its halves on the stack, since the factors and the
     * other value are one long each.
     */
    static boolean isOfProduct(Ir.Comparison node) {
        return node.left() instanceof NumberNode.Arithmetic(var operator, var first, var second, var type)
                && operator == NumberNode.Operator.MUL
                && type.isWide()
                && !hasWideOperand(node.left())
                && !node.right().type().isWide()
                && !node.right().optional();
    }

    /** Returns whether a value is computed here: a wide one, or one of a wide operand. */
    static boolean computes(Ir node) {
        return switch (node) {
            case Ir.WideConstant _ -> true;
            case NumberNode.Arithmetic _,
                    NumberNode.Quotient _,
                    NumberNode.Negation _,
                    NumberNode.Absolute _,
                    NumberNode.Rounded _,
                    NumberNode.Scaled _,
                    NumberNode.ToDouble _ -> node.type().isWide() || hasWideOperand(node);
            default -> false;
        };
    }

    private static boolean hasWideOperand(Ir node) {
        return node.operands().stream().anyMatch(operand -> operand.type().isWide());
    }

    /** Pushes a value that {@link #computes} accepts, or jumps if it is absent. */
    void compute(Ir node, Label absent) {
        switch (node) {
            case Ir.WideConstant(var ignoredType, var raw) -> push(raw);
            case NumberNode.ToDouble(var value) -> {
                int scale = value.type().scaleOfExact();
                if (values.shortForm().exists(value)) {
                    values.shortForm()
                            .either(
                                    List.of(value),
                                    () -> {
                                        record.pushInt(scale);
                                        record.call(DecimalMath.class, "toDouble", CD_double, CD_long, CD_int);
                                    },
                                    () -> toDouble(value, scale, absent));
                } else {
                    toDouble(value, scale, absent);
                }
            }
            case NumberNode.Scaled(var value, long factor, var ignoredType) -> {
                values.value(value, absent);
                product(value, new Ir.Constant(ValueType.Basic.WHOLE, factor));
            }
            default -> computed(node);
        }
        narrow(node);
    }

    private void toDouble(Ir value, int scale, Label absent) {
        values.value(value, absent);
        record.pushInt(scale);
        record.call(WideMath.class, "toDouble", CD_double, CD_long, CD_long, CD_int);
    }

    /** Drops the upper half of a value whose type is one long. */
    private void narrow(Ir node) {
        boolean oneLong =
                node.type() instanceof ValueType.Decimal && !node.type().isWide();
        if (oneLong) {
            code.pop2();
        }
    }

    private void computed(Ir node) {
        switch (node) {
            case NumberNode.Arithmetic(var operator, var left, var right, var ignoredType) ->
                arithmetic(operator, left, right);
            case NumberNode.Quotient(var left, int power, var right, var ignoredType) -> {
                Halves a = store(left);
                Halves b = store(right);
                int low = code.allocateLocal(TypeKind.LONG);
                load(a);
                record.pushInt(power);
                load(b);
                record.call(WideMath.class, "quotientLow", CD_long, CD_long, CD_long, CD_int, CD_long, CD_long);
                code.dup2().lstore(low);
                load(a);
                record.pushInt(power);
                load(b).lload(low);
                record.call(
                        WideMath.class, "quotientHigh", CD_long, CD_long, CD_long, CD_int, CD_long, CD_long, CD_long);
            }
            case NumberNode.Negation(var value) -> {
                Halves of = store(value);
                code.lload(of.low).lneg();
                load(of);
                one(Magnitude.of(value) < ValueType.Decimal.BITS_MAX ? "negateHigh" : "negateHighExact");
            }
            case NumberNode.Absolute(var value) -> {
                Halves of = store(value);
                load(of);
                one("absoluteLow");
                load(of);
                one("absoluteHigh");
            }
            case NumberNode.Rounded(var value, int power, var mode) -> {
                Halves of = store(value);
                int low = code.allocateLocal(TypeKind.LONG);
                load(of);
                rounding(power, mode);
                record.call(Rounding.class, "roundedLow", CD_long, CD_long, CD_long, CD_int, MODE);
                code.dup2().lstore(low);
                load(of);
                rounding(power, mode);
                code.lload(low);
                record.call(Rounding.class, "roundedHigh", CD_long, CD_long, CD_long, CD_int, MODE, CD_long);
            }
            default -> throw new IllegalStateException("not a wide value: " + node);
        }
    }

    /** Rounds the value on the stack, which is one long. */
    void round(int power, RoundingMode mode) {
        widen();
        rounding(power, mode);
        record.call(Rounding.class, "roundedLow", CD_long, CD_long, CD_long, CD_int, MODE);
    }

    private void rounding(int power, RoundingMode mode) {
        record.pushInt(power);
        record.pool.push(code, mode);
    }

    private void arithmetic(NumberNode.Operator operator, Ir left, Ir right) {
        boolean fits = Magnitude.ofSum(Magnitude.of(left), Magnitude.of(right)) <= ValueType.Decimal.BITS_MAX;
        switch (operator) {
            case ADD -> {
                Halves a = store(left);
                Halves b = store(right);
                code.lload(a.low).lload(b.low).ladd();
                load(a);
                load(b);
                two(fits ? "addHigh" : "addHighExact");
            }
            case SUB -> {
                Halves a = store(left);
                Halves b = store(right);
                code.lload(a.low).lload(b.low).lsub();
                load(a);
                load(b);
                two(fits ? "subtractHigh" : "subtractHighExact");
            }
            case MUL -> {
                values.required(left);
                product(left, right);
            }
            case REM -> {
                Halves a = store(left);
                Halves b = store(right);
                int low = code.allocateLocal(TypeKind.LONG);
                load(a);
                load(b);
                two("remainderLow");
                code.dup2().lstore(low);
                load(a);
                load(b).lload(low);
                record.call(WideMath.class, "remainderHigh", CD_long, CD_long, CD_long, CD_long, CD_long, CD_long);
            }
            case DIV -> throw new IllegalStateException("decimals are divided by a quotient");
        }
    }

    /** Multiplies the value on the stack. */
    private void product(Ir left, Ir right) {
        if (!left.type().isWide() && !right.type().isWide()) {
            int a = values.allocate(left);
            int b = values.allocate(right);
            code.lstore(a);
            values.required(right);
            code.dup2().lstore(b).lload(a).lmul().lload(a).lload(b);
            record.call(Math.class, "multiplyHigh", CD_long, CD_long, CD_long);
            return;
        }
        Halves a = stored(left);
        Halves b = store(right);
        code.lload(a.low).lload(b.low).lmul();
        load(a);
        load(b);
        two(Magnitude.ofProduct(left, right) <= ValueType.Decimal.BITS_MAX ? "multiplyHigh" : "multiplyHighExact");
    }

    private void one(String method) {
        record.call(WideMath.class, method, CD_long, CD_long, CD_long);
    }

    private void two(String method) {
        record.call(WideMath.class, method, CD_long, CD_long, CD_long, CD_long, CD_long);
    }

    private Halves store(Ir value) {
        values.required(value);
        return stored(value);
    }

    private Halves stored(Ir value) {
        widen(value);
        Halves halves = new Halves(code.allocateLocal(TypeKind.LONG), code.allocateLocal(TypeKind.LONG));
        code.lstore(halves.high).lstore(halves.low);
        return halves;
    }

    private CodeBuilder load(Halves halves) {
        return code.lload(halves.low).lload(halves.high);
    }

    /** Adds the value on the stack to a sum in two local variables. */
    void addTo(int sumLow, int sumHigh) {
        Halves value = new Halves(code.allocateLocal(TypeKind.LONG), code.allocateLocal(TypeKind.LONG));
        code.lstore(value.high).lstore(value.low);
        load(value).lload(sumLow).lload(sumHigh);
        two("addHighExact");
        code.lstore(sumHigh).lload(value.low).lload(sumLow).ladd().lstore(sumLow);
    }

    /** Pushes the quotient of a sum and a number of elements, as a value of a type. */
    void average(int sumLow, int sumHigh, int count, ValueType type) {
        Halves sum = new Halves(sumLow, sumHigh);
        int low = code.allocateLocal(TypeKind.LONG);
        quotient(
                sum,
                count,
                () -> record.call(WideMath.class, "quotientLow", CD_long, CD_long, CD_long, CD_int, CD_long, CD_long));
        if (type.isWide()) {
            code.dup2().lstore(low);
            quotient(sum, count, () -> {
                code.lload(low);
                record.call(
                        WideMath.class, "quotientHigh", CD_long, CD_long, CD_long, CD_int, CD_long, CD_long, CD_long);
            });
        }
    }

    private void quotient(Halves sum, int count, Runnable divide) {
        load(sum).iconst_0().iload(count).i2l().lconst_0();
        divide.run();
    }

    /** Pushes the two halves of a value that must not be absent. */
    void required(Ir value) {
        values.required(value);
        widen(value);
    }

    /** Pushes the two halves of a value, or jumps if it is absent. */
    void value(Ir value, Label absent) {
        values.value(value, absent);
        widen(value);
    }

    /** Pushes the upper half of the value on the stack, if it is one long. */
    void widen(Ir value) {
        if (!value.type().isWide()) {
            widen();
        }
    }

    private void widen() {
        code.dup2().loadConstant(Long.SIZE - 1);
        code.lshr();
    }

    private void push(BigInteger raw) {
        code.loadConstant(raw.longValue());
        code.loadConstant(raw.shiftRight(Long.SIZE).longValue());
    }
}
