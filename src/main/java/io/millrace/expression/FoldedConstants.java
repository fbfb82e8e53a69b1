package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.IrText;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds the constants of a typed form and describes the values that they represent. */
final class FoldedConstants {

    /**
     * The meaning of the end of the range of long, which replaces a constant past the range of a type in comparisons.
     */
    private static final String OUT_OF_RANGE = "past all values";

    private final Set<Ir> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<FoldedConstant> found = new LinkedHashSet<>();

    private FoldedConstants() {}

    /** Returns all constants of a node and its operands, in the order of the text form, without duplicates. */
    static List<FoldedConstant> of(Ir node) {
        FoldedConstants constants = new FoldedConstants();
        constants.collect(node);
        return new ArrayList<>(constants.found);
    }

    private void collect(Ir node) {
        if (!seen.add(node)) {
            return;
        }
        switch (node) {
            case Ir.Constant(var type, long raw) -> add(type, raw);
            case Ir.WideConstant(var type, var raw) ->
                add(type, raw.toString(), new BigDecimal(raw, type.scale()).toPlainString());
            case Ir.Real real -> add(real);
            case Ir.Text _ -> add(node.type(), IrText.of(node), IrText.of(node));
            case Ir.Fallback(var ignoredValue, var empty, var ignoredOther, var type) ->
                empty.ifPresent(raw -> add(type, raw));
            case Ir.Membership(var value, var members, var ignoredIfAbsent) ->
                members.forEach(member -> add(value.type(), member));
            case TextNode.TextMembership(var ignoredValue, var members) ->
                members.forEach(member -> collect(new Ir.Text(member)));
            case TextNode.TextMatch(var ignoredValue, String regex) -> collect(new Ir.Text(regex));
            default -> {}
        }
        node.operands().forEach(this::collect);
    }

    private void add(ValueType type, long raw) {
        add(type, Long.toString(raw), meaning(type, raw));
    }

    private void add(ValueType type, String raw, String meaning) {
        found.add(new FoldedConstant(type.toString(), raw, meaning));
    }

    private void add(Ir.Real real) {
        String raw = Double.toString(real.value());
        boolean digitsDiffer = Double.isFinite(real.value())
                && BigDecimal.valueOf(real.value()).compareTo(real.decimal()) != 0;
        add(real.type(), raw, digitsDiffer ? real.decimal().toString() : raw);
    }

    private static String meaning(ValueType type, long raw) {
        try {
            return switch (type) {
                case Basic.BOOLEAN -> Boolean.toString(raw != 0);
                case Basic.DATE -> LocalDate.ofEpochDay(raw).toString();
                case Basic.WHOLE, Basic.DOUBLE, Basic.TEXT, Basic.ABSENT -> Long.toString(raw);
                case ValueType.Decimal(int scale, var ignoredBits) ->
                    BigDecimal.valueOf(raw, scale).toPlainString();
                case ValueType.Moment(var unit) ->
                    Instant.EPOCH.plus(raw, unit.toChronoUnit()).toString();
                case ValueType.Name(var dictionary) -> {
                    String name = dictionary.name(raw);
                    yield name == null ? OUT_OF_RANGE : IrText.of(new Ir.Text(name));
                }
            };
        } catch (DateTimeException | ArithmeticException e) {
            return OUT_OF_RANGE;
        }
    }
}
