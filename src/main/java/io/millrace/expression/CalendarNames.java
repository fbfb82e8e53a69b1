package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Dictionary;
import java.time.DayOfWeek;
import java.time.Month;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Days of the week and months as names, with the numbers of {@link java.time} as codes. Computed ones are ordered as in
 * the calendar; stored in a field, they are ordered by name like all others.
 */
final class CalendarNames {

    static final ValueType.Name DAY_OF_WEEK =
            names(Arrays.stream(DayOfWeek.values()).collect(Collectors.toMap(DayOfWeek::getValue, DayOfWeek::name)));
    static final ValueType.Name MONTH =
            names(Arrays.stream(Month.values()).collect(Collectors.toMap(Month::getValue, Month::name)));

    static final List<String> NAMES = List.of("getValue");

    private CalendarNames() {}

    private static ValueType.Name names(Map<Integer, String> byNumber) {
        return new ValueType.Name(new Dictionary(new TreeMap<>(byNumber)));
    }

    /** Returns whether a name was computed from a date. */
    static boolean isComputed(Ir name) {
        return (name.type().equals(DAY_OF_WEEK) || name.type().equals(MONTH))
                && (name instanceof Ir.Calendar
                        || name.operands().stream()
                                .anyMatch(part -> part.type().equals(name.type()) && isComputed(part)));
    }

    static Ir call(MethodCall call) {
        if (call.name().equals("getValue")) {
            return new Ir.Retyped(call.alone(), Basic.WHOLE);
        }
        throw call.unknown(NAMES);
    }
}
