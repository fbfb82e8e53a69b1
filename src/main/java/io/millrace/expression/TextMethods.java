package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import java.util.List;

/** The methods of {@link String} that texts and names have. */
final class TextMethods {

    private TextMethods() {}

    static Ir call(Ir target, String name, List<Ir> arguments, Place place) {
        if (target instanceof Ir.Text(String text) && name.equals("length") && arguments.isEmpty()) {
            return Constants.whole(text.length());
        }
        throw place.error(ErrorCode.NOT_ALLOWED, "a method call, ." + name + "(...) is not allowed", "use operators");
    }

    /** Whether texts have a property of this name: {@code empty}, after {@link String#isEmpty}. */
    static boolean isProperty(String name) {
        return name.equals("empty");
    }

    static Ir property(Ir target, Place place) {
        return call(target, "isEmpty", List.of(), place);
    }
}
