package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.NearestName;
import java.util.List;

/** The methods and properties that values have, by the type of the value. */
final class Methods {

    private static final String FUNCTION = "rules reach no Java code: register a function for it";

    private static final List<String> GETTERS = List.of("get", "is");

    private Methods() {}

    /** What a method gives. */
    static Ir call(Ir target, String name, List<Ir> arguments, Place place) {
        if (target instanceof Ir.Text(String text) && name.equals("length") && arguments.isEmpty()) {
            return Constants.whole(text.length());
        }
        MethodCall call = new MethodCall(target, name, arguments, place);
        return switch (target.type()) {
            case Basic.DATE -> DateMethods.call(call);
            case ValueType.Moment(var unit) -> InstantMethods.call(call, unit);
            case ValueType.Name _ when CalendarNames.isComputed(target) -> CalendarNames.call(call);
            default ->
                throw place.error(ErrorCode.NOT_ALLOWED, "a method call, ." + name + "(...) is not allowed", FUNCTION);
        };
    }

    /** What a property gives: the value of its getter. */
    static Ir property(Ir target, String name, Place place) {
        List<String> methods = names(target);
        String end = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        for (String prefix : GETTERS) {
            if (methods.contains(prefix + end)) {
                return call(target, prefix + end, List.of(), place);
            }
        }
        throw place.error(
                ErrorCode.UNKNOWN_FIELD,
                Place.describe(target) + " has no '" + name + "'",
                NearestName.advice(name, methods.stream().map(Methods::property).toList()));
    }

    private static List<String> names(Ir target) {
        return switch (target.type()) {
            case Basic.DATE -> DateMethods.NAMES;
            case ValueType.Moment _ -> InstantMethods.NAMES;
            case ValueType.Name _ when CalendarNames.isComputed(target) -> CalendarNames.NAMES;
            default -> List.of();
        };
    }

    /** The name that a method has as a property, or its own. */
    private static String property(String method) {
        return method.startsWith("get") ? Character.toLowerCase(method.charAt(3)) + method.substring(4) : method;
    }
}
