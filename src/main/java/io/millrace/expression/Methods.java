package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import java.util.List;

/** The methods and properties that values have, by the type of the value. */
final class Methods {

    private static final String FUNCTION = "rules reach no Java code: register a function for it";

    private Methods() {}

    /**
     * What a method gives.
     *
     * @param nullSafe whether an absent target gives an absent result, as {@code ?.} does, and no reject
     */
    static Ir call(Ir target, String name, List<Ir> arguments, boolean nullSafe, Place place) {
        Ir result = switch (target.type()) {
            case Basic.TEXT -> TextMethods.call(target, name, arguments, place);
            case ValueType.Name _ -> TextMethods.call(target, name, arguments, place);
            case Basic.DATE -> throw notAllowed(name, place);
            case ValueType.Moment _ -> throw notAllowed(name, place);
            default -> throw notAllowed(name, place);
        };
        return nullSafe ? unlessAbsent(target, result, place) : result;
    }

    private static ExpressionException notAllowed(String name, Place place) {
        return place.error(ErrorCode.NOT_ALLOWED, "a method call, ." + name + "(...) is not allowed", FUNCTION);
    }

    /** What a property, such as {@code name.empty}, gives. */
    static Ir property(Ir target, String name, boolean nullSafe, Place place) {
        boolean text = target.type() == Basic.TEXT || target.type() instanceof ValueType.Name;
        if (!text || !TextMethods.isProperty(name)) {
            throw place.error(ErrorCode.UNKNOWN_FIELD, Place.describe(target) + " has no '" + name + "'", "");
        }
        Ir result = TextMethods.property(target, place);
        return nullSafe ? unlessAbsent(target, result, place) : result;
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
