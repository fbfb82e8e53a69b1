package io.millrace.expression.function;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.CalendarNames;
import io.millrace.expression.operand.TextOperands;
import io.millrace.expression.operator.Comparisons;
import io.millrace.schema.NearestName;
import java.util.List;

/** The methods and properties of values, by the type of the value. */
public final class Methods {

    private static final String FUNCTION = "rules reach no Java code: register a function for it";

    private static final List<String> GETTERS = List.of("get", "is");

    private static final String NAME = "name";

    private static final List<String> CALENDAR_NAME = List.of("getValue");

    private Methods() {}

    /**
     * Returns the node of a method call.
     *
     * @param nullSafe whether an absent target gives an absent result, as {@code ?.} does, instead of a reject
     */
    public static Ir call(Ir target, String name, List<Ir> arguments, boolean nullSafe, Place place) {
        MethodCall call = new MethodCall(target, name, arguments, place);
        Ir result = switch (target.type()) {
            case Basic.TEXT -> TextMethods.call(target, name, arguments, place);
            case ValueType.Name _ when name.equals(NAME) -> name(call);
            case ValueType.Name _ ->
                isText(target) ? TextMethods.call(target, name, arguments, place) : calendarName(call);
            case Basic.DATE -> DateMethods.call(call);
            case ValueType.Moment(var unit) -> InstantMethods.call(call, unit);
            case ValueType.Decimal _ -> DecimalMethods.call(call);
            default ->
                throw place.error(ErrorCode.NOT_ALLOWED, "a method call, ." + name + "(...) is not allowed", FUNCTION);
        };
        return nullSafe ? unlessAbsent(target, result, place) : result;
    }

    /** Returns the node of a property, such as {@code name.empty} or {@code date.year}: the value of its getter. */
    public static Ir property(Ir target, String name, boolean nullSafe, Place place) {
        if (isText(target) && TextMethods.isProperty(name)) {
            Ir result = TextMethods.property(target, name, place);
            return nullSafe ? unlessAbsent(target, result, place) : result;
        }
        List<String> methods = names(target);
        String end = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        for (String prefix : GETTERS) {
            if (methods.contains(prefix + end)) {
                return call(target, prefix + end, List.of(), nullSafe, place);
            }
        }
        throw place.error(
                ErrorCode.UNKNOWN_FIELD,
                Place.describe(target) + " has no '" + name + "'",
                NearestName.advice(name, methods.stream().map(Methods::property).toList()));
    }

    /** Returns the name of an enum as a text. Names of a dictionary are texts anyway. */
    private static Ir name(MethodCall call) {
        Ir value = Ir.Present.of(call.alone());
        return isText(call.target()) ? value : TextOperands.text(value, call.place());
    }

    private static Ir calendarName(MethodCall call) {
        if (call.name().equals(CALENDAR_NAME.getFirst())) {
            return new Ir.Retyped(call.alone(), Basic.WHOLE);
        }
        throw call.unknown(CALENDAR_NAME);
    }

    private static boolean isText(Ir value) {
        return value.type() == Basic.TEXT
                || (value.type() instanceof ValueType.Name && !CalendarNames.isComputed(value));
    }

    private static List<String> names(Ir target) {
        return switch (target.type()) {
            case ValueType.Name _ when CalendarNames.isComputed(target) -> CALENDAR_NAME;
            case Basic.DATE -> DateMethods.NAMES;
            case ValueType.Moment _ -> InstantMethods.NAMES;
            default -> List.of();
        };
    }

    /** Returns the property name of a getter, or the name of another method as it is. */
    private static String property(String method) {
        return method.startsWith("get") ? Character.toLowerCase(method.charAt(3)) + method.substring(4) : method;
    }

    private static Ir unlessAbsent(Ir target, Ir result, Place place) {
        return target.optional()
                ? new Ir.Choice(
                        Comparisons.compare(Relation.EQ, target, new Ir.Absent(), place),
                        new Ir.Absent(),
                        result,
                        result.type())
                : result;
    }
}
