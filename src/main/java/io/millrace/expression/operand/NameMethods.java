package io.millrace.expression.operand;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Dictionary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Methods of names. They are computed once for each name of the dictionary, so that a record needs only a lookup by
 * code.
 */
public final class NameMethods {

    private NameMethods() {}

    /** Returns whether a predicate holds for the name. */
    public static Ir test(Ir value, Dictionary dictionary, Predicate<String> predicate) {
        Ir present = Ir.Present.of(value);
        List<Long> members = dictionary.valuesByCode().entrySet().stream()
                .filter(entry -> predicate.test(entry.getValue()))
                .map(entry -> (long) entry.getKey())
                .toList();
        if (members.size() == dictionary.valuesByCode().size()) {
            return ConstantComparisons.of(Relation.LE, present, Long.MAX_VALUE);
        }
        return membership(present, members, false);
    }

    /**
     * Returns whether a name's code is one of the members. If a table maps the code to another, the test is translated
     * to the original code.
     */
    public static Ir membership(Ir value, List<Long> members, boolean ifAbsent) {
        if (value instanceof Ir.ByCode(var inner, var table, var ignoredType) && !table.contains(Ir.ByCode.NO_RESULT)) {
            Set<Long> wanted = Set.copyOf(members);
            List<Long> codes = ((ValueType.Name) inner.type())
                    .dictionary().valuesByCode().keySet().stream()
                            .filter(code -> wanted.contains((long) table.get(code)))
                            .map(Integer::longValue)
                            .toList();
            return membership(inner, codes, ifAbsent);
        }
        if (members.isEmpty()) {
            return ifAbsent
                    ? ConstantComparisons.of(Relation.LT, value, Long.MIN_VALUE)
                    : ConstantComparisons.never(value);
        }
        return new Ir.Membership(value, members, ifAbsent);
    }

    /** Returns a number for each name. */
    public static Ir number(Ir value, Dictionary dictionary, ToIntFunction<String> number) {
        List<Integer> table = table(dictionary);
        dictionary.valuesByCode().forEach((code, name) -> table.set(code, number.applyAsInt(name)));
        return new Ir.ByCode(Ir.Present.of(value), List.copyOf(table), Basic.WHOLE);
    }

    /**
     * Returns a text for each name. The texts form another dictionary.
     *
     * @param text throws {@link IndexOutOfBoundsException} if a name has no result
     */
    public static Ir text(Ir value, Dictionary dictionary, UnaryOperator<String> text, Place place) {
        List<Integer> table = table(dictionary);
        Map<String, Integer> codes = new HashMap<>();
        dictionary.valuesByCode().forEach((code, name) -> {
            String result = result(name, text);
            table.set(code, result == null ? Ir.ByCode.NO_RESULT : codes.computeIfAbsent(result, _ -> codes.size()));
        });
        if (codes.isEmpty()) {
            throw place.error(ErrorCode.BAD_CONSTANT, "no name of the dictionary has so many characters", "");
        }
        TreeMap<Integer, String> names = new TreeMap<>();
        codes.forEach((name, code) -> names.put(code, name));
        return new Ir.ByCode(Ir.Present.of(value), List.copyOf(table), new ValueType.Name(new Dictionary(names)));
    }

    private static @Nullable String result(String name, UnaryOperator<String> text) {
        try {
            String result = text.apply(name);
            return TextOperands.isWellFormed(result) ? result : null;
        } catch (IndexOutOfBoundsException e) {
            return null;
        }
    }

    /** Returns a table of zeros. Codes without a name are rejected before they are used as an index. */
    private static List<Integer> table(Dictionary dictionary) {
        return new ArrayList<>(Collections.nCopies(dictionary.lastCode() + 1, 0));
    }
}
