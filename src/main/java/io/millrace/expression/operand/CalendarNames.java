package io.millrace.expression.operand;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.ValueType;
import io.millrace.schema.Dictionary;
import java.time.DayOfWeek;
import java.time.Month;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Days of the week and months as names, with the numbers of {@link java.time} as codes. Computed ones are ordered as in
 * the calendar; stored in a field, they are ordered by name like all others.
 */
public final class CalendarNames {

    public static final ValueType.Name DAY_OF_WEEK =
            names(Arrays.stream(DayOfWeek.values()).collect(Collectors.toMap(DayOfWeek::getValue, DayOfWeek::name)));
    public static final ValueType.Name MONTH =
            names(Arrays.stream(Month.values()).collect(Collectors.toMap(Month::getValue, Month::name)));

    private CalendarNames() {}

    private static ValueType.Name names(Map<Integer, String> byNumber) {
        return new ValueType.Name(new Dictionary(new TreeMap<>(byNumber)));
    }

    /** Returns whether a name was computed from a date. */
    public static boolean isComputed(Ir name) {
        return (name.type().equals(DAY_OF_WEEK) || name.type().equals(MONTH))
                && (name instanceof Ir.Calendar
                        || name.operands().stream()
                                .anyMatch(part -> part.type().equals(name.type()) && isComputed(part)));
    }
}
