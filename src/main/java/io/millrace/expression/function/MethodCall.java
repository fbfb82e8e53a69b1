package io.millrace.expression.function;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.NearestName;
import java.util.Collection;
import java.util.List;

/** A call of a method on a value, and the errors of its arguments. If the value is absent, the call has no result. */
record MethodCall(Ir target, String name, List<Ir> arguments, Place place) {

    /** Returns the value; for a method without arguments. */
    Ir alone() {
        if (!arguments.isEmpty()) {
            throw wrong("()");
        }
        return target;
    }

    /** Returns the only argument, which must be a whole number. */
    Ir whole() {
        if (arguments.size() != 1 || arguments.getFirst().type() != Basic.WHOLE) {
            throw wrong("(whole number)");
        }
        return arguments.getFirst();
    }

    /** Returns the only argument, of any type. */
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

    /** Returns the error that a function or method does not accept its arguments. */
    static ExpressionException mismatch(String name, List<Ir> arguments, String signature, Place place) {
        String problem = arguments.isEmpty()
                ? " needs an argument"
                : " can't be applied to "
                        + String.join(
                                " and ", arguments.stream().map(Place::describe).toList());
        return place.error(ErrorCode.TYPE_MISMATCH, name + "(...)" + problem, "write " + name + signature);
    }
}
