package io.millrace.expression.function;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.Numbers;
import io.millrace.expression.operator.Comparisons;
import io.millrace.schema.NearestName;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;

/** The methods of decimals, with the names and results of {@link java.math.BigDecimal}. */
final class DecimalMethods {

    private static final List<String> NAMES = List.of("abs", "negate", "signum", "setScale");

    private static final String SET_SCALE = "(2) or .setScale(2, 'HALF_UP')";

    private DecimalMethods() {}

    static Ir call(MethodCall call) {
        return switch (call.name()) {
            case "abs" -> new NumberNode.Absolute(call.alone());
            case "negate" -> Numbers.negate(call.alone(), call.place());
            case "signum" -> signum(call);
            case "setScale" -> setScale(call);
            default -> throw call.unknown(NAMES);
        };
    }

    private static Ir signum(MethodCall call) {
        Ir value = Ir.Present.of(call.alone());
        return new Ir.Choice(
                compare(Relation.GT, value, call),
                Constants.whole(1),
                new Ir.Choice(compare(Relation.LT, value, call), Constants.whole(-1), Constants.whole(0), Basic.WHOLE),
                Basic.WHOLE);
    }

    private static Ir compare(Relation relation, Ir value, MethodCall call) {
        return Comparisons.compare(relation, value, Constants.whole(0), call.place());
    }

    private static Ir setScale(MethodCall call) {
        List<Ir> arguments = call.arguments();
        if (arguments.isEmpty() || arguments.size() > 2) {
            throw call.wrong(SET_SCALE);
        }
        if (!(arguments.getFirst() instanceof Ir.Constant(var type, long scale)) || type != Basic.WHOLE) {
            throw call.wrong(SET_SCALE);
        }
        RoundingMode mode = arguments.size() == 1 ? RoundingMode.UNNECESSARY : mode(call);
        return round(call.target(), scale(scale, call.place()), mode, call.place());
    }

    private static RoundingMode mode(MethodCall call) {
        if (!(call.arguments().getLast() instanceof Ir.Text(String name))) {
            throw call.wrong(SET_SCALE);
        }
        List<String> names =
                Arrays.stream(RoundingMode.values()).map(RoundingMode::name).toList();
        if (!names.contains(name)) {
            throw call.place()
                    .error(
                            ErrorCode.UNKNOWN_NAME,
                            "unknown rounding mode '" + name + "'",
                            NearestName.advice(name, names));
        }
        return RoundingMode.valueOf(name);
    }

    /** Returns a number of decimal places that is written in an expression, or refuses it. */
    static int scale(long scale, Place place) {
        if (scale < 0 || scale > Constants.SCALE_MAX) {
            throw place.error(
                    ErrorCode.BAD_CONSTANT, "invalid scale '" + scale + "'", "use 0 to " + Constants.SCALE_MAX);
        }
        return (int) scale;
    }

    /** Returns a decimal with a number of decimal places. */
    static Ir round(Ir decimal, int scale, RoundingMode mode, Place place) {
        Ir value = Ir.Present.of(decimal);
        int power = value.type().scaleOfExact() - scale;
        return power > 0 ? new NumberNode.Rounded(value, power, mode) : Numbers.rescale(value, scale, place);
    }
}
