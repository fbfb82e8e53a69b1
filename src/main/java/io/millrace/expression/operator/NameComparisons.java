package io.millrace.expression.operator;

import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.CalendarNames;
import io.millrace.expression.operand.ConstantComparisons;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.NameMethods;
import io.millrace.schema.Dictionary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Comparisons of names: equality by code, order by name, independent of the codes. Computed days of the week and months
 * are ordered as in the calendar.
 */
public final class NameComparisons {

    private NameComparisons() {}

    static Ir withText(Relation relation, Ir value, Dictionary dictionary, String text, Place place) {
        if (CalendarNames.isComputed(value)) {
            return ConstantComparisons.of(relation, value, Constants.code(text, dictionary, place));
        }
        if (relation == Relation.EQ || relation == Relation.NE) {
            long code = Constants.code(text, dictionary, place);
            if (!(value instanceof Ir.ByCode)) {
                return ConstantComparisons.of(relation, value, code);
            }
            Ir same = NameMethods.membership(value, List.of(code), false);
            return relation == Relation.EQ ? same : new Ir.Not(same);
        }
        List<Long> members = dictionary.valuesByCode().entrySet().stream()
                .filter(entry -> relation.holds(entry.getValue().compareTo(text)))
                .map(entry -> (long) entry.getKey())
                .toList();
        boolean ifAbsent = relation == Relation.LT || relation == Relation.LE;
        return NameMethods.membership(value, members, ifAbsent);
    }

    static Ir compare(Relation relation, Ir left, Dictionary first, Ir right, Dictionary second) {
        boolean byCode = relation == Relation.EQ
                || relation == Relation.NE
                || (CalendarNames.isComputed(left) && CalendarNames.isComputed(right));
        if (byCode && first.equals(second)) {
            return new Ir.Comparison(relation, left, right, false);
        }
        TreeSet<String> names = new TreeSet<>(first.valuesByCode().values());
        names.addAll(second.valuesByCode().values());
        List<String> order = List.copyOf(names);
        return new Ir.Comparison(relation, ranked(left, first, order), ranked(right, second, order), false);
    }

    /** Returns the rank of a name among all names of its dictionary. */
    public static Ir ranked(Ir value, Dictionary dictionary) {
        return CalendarNames.isComputed(value)
                ? value
                : ranked(
                        value,
                        dictionary,
                        List.copyOf(new TreeSet<>(dictionary.valuesByCode().values())));
    }

    private static Ir ranked(Ir value, Dictionary dictionary, List<String> order) {
        List<Integer> ranks = new ArrayList<>(Collections.nCopies(dictionary.lastCode() + 1, 0));
        for (Map.Entry<Integer, String> entry : dictionary.valuesByCode().entrySet()) {
            ranks.set(entry.getKey(), Collections.binarySearch(order, entry.getValue()));
        }
        return new Ir.ByCode(value, List.copyOf(ranks), Basic.WHOLE);
    }
}
