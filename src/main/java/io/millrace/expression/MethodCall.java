package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.NearestName;
import java.util.Collection;
import java.util.List;

/** A method asked of a value; tells what is wrong with its arguments. Without the value there is no result. */
record MethodCall(Ir target, String name, List<Ir> arguments, Place place) {

    /** The value, for a method without arguments. */
    Ir alone() {
        if (!arguments.isEmpty()) {
            throw wrong("()");
        }
        return target;
    }

    /** The only argument, a whole number. */
    Ir whole() {
        if (arguments.size() != 1 || arguments.getFirst().type() != Basic.WHOLE) {
            throw wrong("(whole number)");
        }
        return arguments.getFirst();
    }

    /** The only argument, whatever it is. */
    Ir only(String signature) {
        if (arguments.size() != 1) {
            throw wrong(signature);
        }
        return arguments.getFirst();
    }

    ExpressionException wrong(String signature) {
        return mismatch("." + name, arguments, signature, place);
    }

    ExpressionException unknown(Collection<String> known) {
        return place.error(
                ErrorCode.UNKNOWN_FUNCTION,
                Place.describe(target.type()) + " has no ." + name + "(...)",
                NearestName.advice(name, known));
    }

    /** That a function or method does not take some arguments. */
    static ExpressionException mismatch(String name, List<Ir> arguments, String signature, Place place) {
        String given = arguments.isEmpty()
                ? "nothing"
                : String.join(" and ", arguments.stream().map(Place::describe).toList());
        return place.error(
                ErrorCode.TYPE_MISMATCH, name + "(...) does not go with " + given, "write " + name + signature);
    }
}
