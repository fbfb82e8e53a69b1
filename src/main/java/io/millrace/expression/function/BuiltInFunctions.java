package io.millrace.expression.function;

import io.millrace.expression.error.Place;
import io.millrace.expression.ir.CalendarFunction;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.Numbers;
import java.math.RoundingMode;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The functions that every expression can call: constant dates and instants, the parts of an instant in UTC, and
 * numbers without sign or rounded.
 */
public final class BuiltInFunctions {

    static final List<String> NAMES = List.of("date", "instant", "hour", "minute", "abs", "round");

    /** Functions of the elements of a part that repeats. */
    public static final List<String> AGGREGATES = List.of("sum", "min", "max", "avg", "count");

    private BuiltInFunctions() {}

    /** Returns the node of a call of one of the {@link #NAMES}. */
    static Ir call(String name, List<Ir> arguments, Place place) {
        Ir argument = arguments.size() == 1 ? arguments.getFirst() : new Ir.Absent();
        return switch (name) {
            case "date" -> date(argument, arguments, place);
            case "instant" -> instant(argument, arguments, place);
            case "hour" -> ofDay(name, TimeUnit.DAYS, TimeUnit.HOURS, argument, arguments, place);
            case "minute" -> ofDay(name, TimeUnit.HOURS, TimeUnit.MINUTES, argument, arguments, place);
            case "abs" -> absolute(argument, arguments, place);
            case "round" -> round(arguments, place);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Ir absolute(Ir argument, List<Ir> arguments, Place place) {
        if (!argument.type().isNumber()) {
            throw MethodCall.mismatch("#abs", arguments, "(number)", place);
        }
        return new NumberNode.Absolute(argument);
    }

    /** Rounds half up, as SQL's ROUND does with exact numbers. */
    private static Ir round(List<Ir> arguments, Place place) {
        boolean exact = !arguments.isEmpty()
                && arguments.size() <= 2
                && (arguments.getFirst().type() == Basic.WHOLE
                        || arguments.getFirst().type() instanceof ValueType.Decimal);
        Ir places = arguments.size() == 2 ? arguments.getLast() : Constants.whole(0);
        if (!exact || !(places instanceof Ir.Constant number) || places.type() != Basic.WHOLE) {
            throw MethodCall.mismatch("#round", arguments, "(decimal, 2)", place);
        }
        Ir value = arguments.getFirst();
        int scale = DecimalMethods.scale(number.raw(), place);
        return value.type() == Basic.WHOLE
                ? Ir.Present.of(value)
                : DecimalMethods.round(value, scale, RoundingMode.HALF_UP, place);
    }

    private static Ir date(Ir argument, List<Ir> arguments, Place place) {
        if (argument instanceof Ir.Text(String text)) {
            return new Ir.Constant(Basic.DATE, Constants.day(text, place));
        }
        if (argument.type() instanceof ValueType.Moment(var unit)) {
            Ir unitsPerDay = Constants.whole(unit.convert(1, TimeUnit.DAYS));
            return new Ir.Calendar(CalendarFunction.DAY_OF_MOMENT, List.of(argument, unitsPerDay), Basic.DATE);
        }
        throw MethodCall.mismatch("#date", arguments, "('2014-07-21') or #date(instant)", place);
    }

    private static Ir instant(Ir argument, List<Ir> arguments, Place place) {
        if (argument instanceof Ir.Text(String text)) {
            return Constants.moment(text, place);
        }
        if (argument.type() == Basic.DATE) {
            return Numbers.inUnits(
                    Ir.Present.of(argument), TimeUnit.DAYS.toSeconds(1), new ValueType.Moment(TimeUnit.SECONDS), place);
        }
        throw MethodCall.mismatch("#instant", arguments, "('2014-07-21T10:00:00Z') or #instant(date)", place);
    }

    /**
     * Returns the number of complete parts of the larger unit that have passed at an instant, such as the hours of its
     * day.
     */
    private static Ir ofDay(String name, TimeUnit whole, TimeUnit part, Ir argument, List<Ir> arguments, Place place) {
        if (!(argument.type() instanceof ValueType.Moment(var unit))) {
            throw MethodCall.mismatch("#" + name, arguments, "(instant)", place);
        }
        Ir units = new Ir.Calendar(
                CalendarFunction.FLOOR_MOD, List.of(argument, Constants.whole(unit.convert(1, whole))), Basic.WHOLE);
        return new NumberNode.Arithmetic(
                NumberNode.Operator.DIV, units, Constants.whole(unit.convert(1, part)), Basic.WHOLE);
    }
}
