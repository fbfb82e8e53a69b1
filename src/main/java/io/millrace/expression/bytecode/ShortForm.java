package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.operand.Exact;
import io.millrace.expression.runtime.WideMath;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.util.List;

/**
 * Writes the code that computes wide decimals in 64 bits, which suffice for most records. If a step does not fit them,
 * the code jumps to where {@link WideValues} computes the value again in 128 bits. In a loop of 64 bits only, it throws
 * an {@link ArithmeticException} instead, on which {@link AdaptiveLoop} continues with the other loop: the JIT compiler
 * translates the exact methods of {@link Math} to one instruction and a jump if they have not overflowed before.
 */
final class ShortForm {

    private final RecordCode record;
    private final CodeBuilder code;
    private final Emitter values;

    ShortForm(RecordCode record, Emitter values) {
        this.record = record;
        this.code = record.code;
        this.values = values;
    }

    /**
     * Returns whether a value has a short form: 64 bits and a jump if a step does not fit them. Its operands are
     * computed before, by {@link #operands}, so that the long form can begin again.
     */
    boolean exists(Ir node) {
        return WideValues.computes(node)
                && isStep(node)
                && record.shared.find(node).isEmpty();
    }

    private static boolean isStep(Ir node) {
        return switch (node) {
            case NumberNode.Arithmetic(var operator, var ignoredLeft, var ignoredRight, var ignoredType) ->
                operator == NumberNode.Operator.ADD
                        || operator == NumberNode.Operator.SUB
                        || operator == NumberNode.Operator.MUL;
            case NumberNode.Scaled(var value, var ignoredFactor, var ignoredType) -> !value.optional();
            case NumberNode.Negation _ -> true;
            default -> false;
        };
    }

    /**
     * Writes code that needs values in 64 bits, and code for the case that a step does not fit them.
     *
     * @param inLongs writes the code that follows with the values on the stack, one long each
     * @param inHalves writes code with the same effect that computes the values itself
     */
    void either(List<Ir> nodes, Runnable inLongs, Runnable inHalves) {
        record.addShortForm();
        if (record.isNarrow()) {
            nodes.forEach(this::exact);
            inLongs.run();
            return;
        }
        Label past = code.newLabel();
        Label done = code.newLabel();
        nodes.forEach(this::operands);
        for (int local : nodes.stream().mapToInt(node -> value(node, past)).toArray()) {
            code.lload(local);
        }
        int mark = record.shared.mark();
        inLongs.run();
        record.shared.release(mark);
        code.goto_(done).labelBinding(past);
        inHalves.run();
        record.shared.release(mark);
        code.labelBinding(done);
    }

    /** Pushes a value as one long; the code throws an {@link ArithmeticException} if a step does not fit 64 bits. */
    private void exact(Ir node) {
        if (!exists(node)) {
            values.required(node);
            if (node.type().isWide()) {
                record.call(WideMath.class, "toLongExact", CD_long, CD_long, CD_long);
            }
            return;
        }
        String method = switch (node) {
            case NumberNode.Scaled(var value, long factor, var ignoredType) -> {
                exact(value);
                code.loadConstant(factor);
                yield "multiplyExact";
            }
            case NumberNode.Negation(var value) -> {
                code.lconst_0();
                exact(value);
                yield "subtractExact";
            }
            case NumberNode.Arithmetic(var operator, var left, var right, var ignoredType) -> {
                exact(left);
                exact(right);
                yield switch (operator) {
                    case ADD -> "addExact";
                    case SUB -> "subtractExact";
                    default -> "multiplyExact";
                };
            }
            default -> throw new IllegalStateException("no step: " + node);
        };
        record.call(Math.class, method, CD_long, CD_long, CD_long);
    }

    /** Computes the operands of a value into local variables that the code which follows shares. */
    private void operands(Ir node) {
        if (exists(node)) {
            node.operands().forEach(this::operands);
        } else if (Exact.constant(node) == null && record.shared.find(node).isEmpty()) {
            int local = values.allocate(node);
            values.required(node);
            values.store(node, local);
            record.shared.add(node, local);
        }
    }

    /**
     * Computes a value in 64 bits, or jumps with the stack as it was if a step does not fit them.
     *
     * @return the local variable of the value
     */
    private int value(Ir node, Label past) {
        if (!exists(node)) {
            return oneLong(node, past);
        }
        int result = code.allocateLocal(TypeKind.LONG);
        int a = value(node.operands().getFirst(), past);
        switch (node) {
            case NumberNode.Arithmetic(
                    var operator,
                    var ignoredLeft,
                    Ir.Constant(var ignoredType, long factor),
                    var ignoredType2)
            when operator == NumberNode.Operator.MUL && factor > 0 -> times(a, factor, past);
            case NumberNode.Arithmetic(var operator, var ignoredLeft, var right, var ignoredType) ->
                step(operator, a, value(right, past), past);
            case NumberNode.Scaled(var ignoredValue, long factor, var ignoredType) -> times(a, factor, past);
            default -> {
                int zero = code.allocateLocal(TypeKind.LONG);
                code.lconst_0().lstore(zero);
                step(NumberNode.Operator.SUB, zero, a, past);
            }
        }
        code.lstore(result);
        return result;
    }

    /** Multiplies by a positive constant: a check of the range takes less time than that of a product. */
    private void times(int a, long factor, Label past) {
        long largest = Long.MAX_VALUE / factor;
        code.lload(a).loadConstant(largest);
        code.ladd().loadConstant(2 * largest);
        record.call(Long.class, "compareUnsigned", CD_int, CD_long, CD_long);
        code.ifgt(past).lload(a).loadConstant(factor);
        code.lmul();
    }

    private void step(NumberNode.Operator operator, int a, int b, Label past) {
        String overflows = switch (operator) {
            case ADD -> "sumOverflows";
            case SUB -> "differenceOverflows";
            default -> "productOverflows";
        };
        code.lload(a).lload(b);
        record.call(WideMath.class, overflows, CD_boolean, CD_long, CD_long);
        code.ifne(past).lload(a).lload(b);
        switch (operator) {
            case ADD -> code.ladd();
            case SUB -> code.lsub();
            default -> code.lmul();
        }
    }

    /** Returns the local variable of a value, or jumps if it does not fit one long. */
    private int oneLong(Ir node, Label past) {
        int low = code.allocateLocal(TypeKind.LONG);
        values.required(node);
        if (!node.type().isWide()) {
            code.lstore(low);
        } else {
            int high = code.allocateLocal(TypeKind.LONG);
            code.lstore(high).lstore(low).lload(low).lload(high);
            record.call(WideMath.class, "isLong", CD_boolean, CD_long, CD_long);
            code.ifeq(past);
        }
        return low;
    }

    /**
     * Pushes a value as one long.
     *
     * @param convertShort converts the long on the stack
     * @param convertLong replaces the two halves on the stack by one long, or rejects the record
     */
    void asLong(Ir value, Runnable convertShort, Runnable convertLong) {
        if (!exists(value)) {
            values.required(value);
            convertLong.run();
            return;
        }
        either(List.of(value), convertShort, () -> {
            values.required(value);
            convertLong.run();
        });
    }
}
