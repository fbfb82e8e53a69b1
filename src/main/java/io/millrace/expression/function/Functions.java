package io.millrace.expression.function;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.JavaType;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.Numbers;
import io.millrace.expression.operand.TextOperands;
import io.millrace.schema.FieldType;
import io.millrace.schema.NearestName;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Calls of the form {@code #name(...)}: the built-in functions, and the registered ones with their types. */
public final class Functions {

    private final FunctionRegistry registry;

    public Functions(FunctionRegistry registry) {
        this.registry = registry;
    }

    /** Returns the node of a call. */
    public Ir call(String name, List<Ir> arguments, Place place) {
        if (BuiltInFunctions.NAMES.contains(name)) {
            return BuiltInFunctions.call(name, arguments, place);
        }
        ExpressionFunction function = registry.named(name);
        if (function == null) {
            List<String> known = new ArrayList<>(BuiltInFunctions.NAMES);
            known.addAll(BuiltInFunctions.AGGREGATES);
            known.addAll(registry.names());
            throw place.error(
                    ErrorCode.UNKNOWN_FUNCTION, "there is no function #" + name, NearestName.advice(name, known));
        }
        return call(function, arguments, place);
    }

    private static Ir call(ExpressionFunction function, List<Ir> arguments, Place place) {
        MethodType type = function.handle().type();
        List<Ir> passed = new ArrayList<>();
        if (arguments.size() == type.parameterCount()) {
            for (int i = 0; i < arguments.size(); i++) {
                Ir argument = argument(arguments.get(i), kind(type.parameterType(i)), place);
                if (argument != null) {
                    passed.add(argument);
                }
            }
        }
        if (passed.size() != type.parameterCount()) {
            throw MethodCall.mismatch("#" + function.name(), arguments, function.parameters(), place);
        }
        return new Ir.Call(function.name(), function.handle(), passed, result(function), function.width());
    }

    private static JavaType kind(Class<?> type) {
        return JavaType.of(type).orElseThrow();
    }

    /** Returns a value in the form that a parameter accepts, or null if it does not accept the value. */
    private static @Nullable Ir argument(Ir value, JavaType parameter, Place place) {
        return switch (parameter) {
            case LONG -> value.type() == Basic.WHOLE ? value : null;
            case INT -> value.type() == Basic.WHOLE && !isPastInt(value) ? value : null;
            case BOOLEAN -> value.type() == Basic.BOOLEAN ? value : null;
            case DOUBLE -> value.type().isNumber() ? Numbers.toDouble(value) : null;
            case DECIMAL -> value.type().isNumber() || value instanceof Ir.Absent ? value : null;
            case STRING -> isText(value) ? value : null;
            case DATE ->
                value instanceof Ir.Text(String text)
                        ? new Ir.Constant(Basic.DATE, Constants.day(text, place))
                        : value.type() == Basic.DATE || value instanceof Ir.Absent ? value : null;
            case INSTANT ->
                value instanceof Ir.Text(String text)
                        ? Constants.moment(text, place)
                        : value.type() instanceof ValueType.Moment || value instanceof Ir.Absent ? value : null;
        };
    }

    private static boolean isPastInt(Ir value) {
        return value instanceof Ir.Constant(var ignoredType, long raw) && raw != (int) raw;
    }

    /** Returns whether Java receives a String: byte fields are not accepted. */
    private static boolean isText(Ir value) {
        return switch (value) {
            case Ir.Load(var field) when field.type() instanceof FieldType.IpType -> true;
            case Ir.Choice(var ignoredCondition, var ifTrue, var ifFalse, var ignoredType) ->
                isText(ifTrue) && isText(ifFalse);
            default -> TextOperands.isText(value) || value instanceof Ir.Absent;
        };
    }

    private static ValueType result(ExpressionFunction function) {
        return switch (kind(function.handle().type().returnType())) {
            case LONG, INT -> Basic.WHOLE;
            case DOUBLE -> Basic.DOUBLE;
            case BOOLEAN -> Basic.BOOLEAN;
            case STRING -> Basic.TEXT;
            case DECIMAL -> new ValueType.Decimal(function.scale());
            case DATE -> Basic.DATE;
            case INSTANT -> new ValueType.Moment(TimeUnit.NANOSECONDS);
        };
    }
}
