package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import java.util.List;

/** The methods and properties that values have, by the type of the value. */
final class Methods {

    private static final String FUNCTION = "rules reach no Java code: register a function for it";

    private Methods() {}

    /** What a method gives. */
    static Ir call(Ir target, String name, List<Ir> arguments, Place place) {
        if (target instanceof Ir.Text(String text) && name.equals("length") && arguments.isEmpty()) {
            return Constants.whole(text.length());
        }
        throw place.error(ErrorCode.NOT_ALLOWED, "a method call, ." + name + "(...) is not allowed", FUNCTION);
    }

    /** That there is no such property. */
    static ExpressionException unknown(Ir target, String name, Place place) {
        return place.error(ErrorCode.UNKNOWN_FIELD, Place.describe(target) + " has no '" + name + "'", "");
    }
}
