package io.millrace.expression.function;

import io.millrace.expression.ir.CalendarFunction;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.Numbers;
import io.millrace.expression.operator.Comparisons;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The methods of instants, with the names and results of {@link java.time.Instant}. */
final class InstantMethods {

    static final List<String> NAMES = List.of(
            "getEpochSecond",
            "getNano",
            "toEpochMilli",
            "plusSeconds",
            "plusMillis",
            "plusNanos",
            "minusSeconds",
            "minusMillis",
            "minusNanos",
            "isBefore",
            "isAfter");

    private static final String SAME = "(instant)";

    private InstantMethods() {}

    /** @param unit the unit of the instant */
    static Ir call(MethodCall call, TimeUnit unit) {
        return switch (call.name()) {
            case "getEpochSecond" -> inUnits(call, unit, TimeUnit.SECONDS);
            case "getNano" -> nano(call, unit);
            case "toEpochMilli" -> inUnits(call, unit, TimeUnit.MILLISECONDS);
            case "plusSeconds" -> plus(call, unit, call.whole(), TimeUnit.SECONDS);
            case "plusMillis" -> plus(call, unit, call.whole(), TimeUnit.MILLISECONDS);
            case "plusNanos" -> plus(call, unit, call.whole(), TimeUnit.NANOSECONDS);
            case "minusSeconds" -> plus(call, unit, negated(call), TimeUnit.SECONDS);
            case "minusMillis" -> plus(call, unit, negated(call), TimeUnit.MILLISECONDS);
            case "minusNanos" -> plus(call, unit, negated(call), TimeUnit.NANOSECONDS);
            case "isBefore" -> compare(Relation.LT, call);
            case "isAfter" -> compare(Relation.GT, call);
            default -> throw call.unknown(NAMES);
        };
    }

    private static Ir negated(MethodCall call) {
        return Numbers.negate(call.whole(), call.place());
    }

    /** Returns the number of complete units since 1970-01-01T00:00Z. */
    private static Ir inUnits(MethodCall call, TimeUnit from, TimeUnit to) {
        if (from.compareTo(to) >= 0) {
            Ir value = Numbers.inUnits(call.alone(), to.convert(1, from), new ValueType.Moment(to), call.place());
            return new Ir.Retyped(value, Basic.WHOLE);
        }
        return new Ir.Calendar(
                CalendarFunction.FLOOR_DIV, List.of(call.alone(), Constants.whole(from.convert(1, to))), Basic.WHOLE);
    }

    private static Ir nano(MethodCall call, TimeUnit unit) {
        Ir units = new Ir.Calendar(
                CalendarFunction.FLOOR_MOD,
                List.of(call.alone(), Constants.whole(unit.convert(1, TimeUnit.SECONDS))),
                Basic.WHOLE);
        return Numbers.inUnits(units, unit.toNanos(1), Basic.WHOLE, call.place());
    }

    /** The result has the finer of the two units, so that no precision is lost. */
    private static Ir plus(MethodCall call, TimeUnit unit, Ir number, TimeUnit numberUnit) {
        TimeUnit finer = unit.compareTo(numberUnit) < 0 ? unit : numberUnit;
        ValueType type = new ValueType.Moment(finer);
        Ir moment = Numbers.inUnits(call.target(), finer.convert(1, unit), type, call.place());
        Ir added = Numbers.inUnits(number, finer.convert(1, numberUnit), Basic.WHOLE, call.place());
        // A long of finer units is always in the range of Instant; one of seconds may not be.
        return finer == TimeUnit.SECONDS
                ? new Ir.Calendar(CalendarFunction.PLUS_SECONDS, List.of(moment, added), type)
                : new NumberNode.Arithmetic(NumberNode.Operator.ADD, moment, added, type);
    }

    private static Ir compare(Relation relation, MethodCall call) {
        Ir other = call.only(SAME);
        if (!(other.type() instanceof ValueType.Moment) && !(other instanceof Ir.Text)) {
            throw call.wrong(SAME);
        }
        return Comparisons.compare(relation, Ir.Present.of(call.target()), Ir.Present.of(other), call.place());
    }
}
