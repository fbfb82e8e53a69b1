package io.millrace.expression.function;

import io.millrace.expression.error.Place;
import io.millrace.expression.ir.CalendarFunction;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.CalendarNames;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.Numbers;
import io.millrace.expression.operator.Comparisons;
import java.util.List;

/** The methods of dates, with the names and results of {@link java.time.LocalDate}. */
final class DateMethods {

    static final List<String> NAMES = List.of(
            "getYear",
            "getMonth",
            "getMonthValue",
            "getDayOfMonth",
            "getDayOfYear",
            "getDayOfWeek",
            "isLeapYear",
            "lengthOfMonth",
            "toEpochDay",
            "plusDays",
            "plusWeeks",
            "plusMonths",
            "plusYears",
            "minusDays",
            "minusWeeks",
            "minusMonths",
            "minusYears",
            "withDayOfMonth",
            "isBefore",
            "isAfter",
            "isEqual");

    private static final String SAME = "(date)";
    private static final int DAYS_PER_WEEK = 7;

    private DateMethods() {}

    static Ir call(MethodCall call) {
        Place place = call.place();
        return switch (call.name()) {
            case "getYear" -> part(CalendarFunction.YEAR, call, Basic.WHOLE);
            case "getMonth" -> part(CalendarFunction.MONTH, call, CalendarNames.MONTH);
            case "getMonthValue" -> part(CalendarFunction.MONTH, call, Basic.WHOLE);
            case "getDayOfMonth" -> part(CalendarFunction.DAY_OF_MONTH, call, Basic.WHOLE);
            case "getDayOfYear" -> part(CalendarFunction.DAY_OF_YEAR, call, Basic.WHOLE);
            case "getDayOfWeek" -> part(CalendarFunction.DAY_OF_WEEK, call, CalendarNames.DAY_OF_WEEK);
            case "isLeapYear" -> part(CalendarFunction.LEAP_YEAR, call, Basic.BOOLEAN);
            case "lengthOfMonth" -> part(CalendarFunction.LENGTH_OF_MONTH, call, Basic.WHOLE);
            case "toEpochDay" -> new Ir.Retyped(call.alone(), Basic.WHOLE);
            case "plusDays" -> other(CalendarFunction.PLUS_DAYS, call, call.whole());
            case "plusWeeks" -> other(CalendarFunction.PLUS_DAYS, call, days(call.whole(), place));
            case "plusMonths" -> other(CalendarFunction.PLUS_MONTHS, call, call.whole());
            case "plusYears" -> other(CalendarFunction.PLUS_YEARS, call, call.whole());
            case "minusDays" -> other(CalendarFunction.PLUS_DAYS, call, Numbers.negate(call.whole(), place));
            case "minusWeeks" ->
                other(CalendarFunction.PLUS_DAYS, call, Numbers.negate(days(call.whole(), place), place));
            case "minusMonths" -> other(CalendarFunction.PLUS_MONTHS, call, Numbers.negate(call.whole(), place));
            case "minusYears" -> other(CalendarFunction.PLUS_YEARS, call, Numbers.negate(call.whole(), place));
            case "withDayOfMonth" -> other(CalendarFunction.WITH_DAY_OF_MONTH, call, call.whole());
            case "isBefore" -> compare(Relation.LT, call);
            case "isAfter" -> compare(Relation.GT, call);
            case "isEqual" -> compare(Relation.EQ, call);
            default -> throw call.unknown(NAMES);
        };
    }

    private static Ir part(CalendarFunction function, MethodCall call, ValueType type) {
        return new Ir.Calendar(function, List.of(call.alone()), type);
    }

    private static Ir other(CalendarFunction function, MethodCall call, Ir number) {
        return new Ir.Calendar(function, List.of(call.target(), number), Basic.DATE);
    }

    private static Ir days(Ir weeks, Place place) {
        return Numbers.arithmetic(NumberNode.Operator.MUL, weeks, Constants.whole(DAYS_PER_WEEK), place);
    }

    private static Ir compare(Relation relation, MethodCall call) {
        Ir other = call.only(SAME);
        if (other.type() != Basic.DATE && !(other instanceof Ir.Text)) {
            throw call.wrong(SAME);
        }
        return Comparisons.compare(relation, Ir.Present.of(call.target()), Ir.Present.of(other), call.place());
    }
}
