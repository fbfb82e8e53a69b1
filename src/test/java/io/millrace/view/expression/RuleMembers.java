package io.millrace.view.expression;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType.EnumType;
import io.millrace.schema.Schema;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;

/**
 * Lets stock SpEL read members of objects as rules read fields: an {@code Optional} as its value or null, whole numbers
 * in 64 bits, an enum as the name that the schema has, and a char or a UUID as text. Members of null and of other
 * subclasses, and elements beyond the end of a list, are null.
 */
final class RuleMembers implements PropertyAccessor {

    /** Properties that are methods of a date or an instant. Rules have no result of a method of null. */
    private static final Set<String> METHODS = Set.of("year", "epochSecond");

    private static final String ELEMENT = "element";

    private final ReflectivePropertyAccessor getters = new ReflectivePropertyAccessor(false);
    private final Map<String, String> names = new HashMap<>();
    private final UnaryOperator<Object> number;
    private final UnaryOperator<List<?>> list;

    /**
     * @param number converts numbers further
     * @param list converts lists
     */
    RuleMembers(Schema schema, UnaryOperator<Object> number, UnaryOperator<List<?>> list) {
        this.number = number;
        this.list = list;
        for (Field field : schema.fields()) {
            if (field.type() instanceof EnumType type) {
                type.dictionary()
                        .namesByCode()
                        .values()
                        .forEach(name -> names.put(name.toUpperCase(Locale.ROOT), name));
            }
        }
    }

    /** Returns an expression with properties instead of indexes and names, which no accessor could read. */
    static String withProperties(String expression) {
        return expression
                .replaceAll("(\\?\\.)?(?<![!?^$])\\[([0-9])]", "." + ELEMENT + "$2")
                .replace(".name()", ".toString()");
    }

    @Override
    public Class<?> @Nullable [] getSpecificTargetClasses() {
        return null;
    }

    @Override
    public boolean canRead(EvaluationContext context, @Nullable Object target, String name) throws AccessException {
        return (target == null && !METHODS.contains(name))
                || (target instanceof List && name.startsWith(ELEMENT))
                || target instanceof LegDeal.Leg
                || (target != null && getters.canRead(context, target, name));
    }

    @Override
    public TypedValue read(EvaluationContext context, @Nullable Object target, String name) throws AccessException {
        if (!canRead(context, target, name)) {
            throw new AccessException(name);
        }
        return new TypedValue(
                switch (target) {
                    case null -> null;
                    case List<?> elements
                    when name.startsWith(ELEMENT) -> {
                        int index = Integer.parseInt(name.substring(ELEMENT.length()));
                        yield index < elements.size() ? elements.get(index) : null;
                    }
                    case LegDeal.Leg leg when !getters.canRead(context, leg, name) -> null;
                    default -> value(getters.read(context, target, name).getValue());
                });
    }

    private @Nullable Object value(@Nullable Object member) {
        return switch (member) {
            case null -> null;
            case List<?> elements -> list.apply(elements);
            case Optional<?> value -> value(value.orElse(null));
            case Integer whole -> number.apply(whole.longValue());
            case Number other -> number.apply(other);
            case Character letter -> letter == 0 ? "" : letter.toString();
            case Enum<?> constant -> names.getOrDefault(constant.name(), constant.name());
            case UUID key -> key.toString();
            default -> member;
        };
    }

    @Override
    public boolean canWrite(EvaluationContext context, @Nullable Object target, String name) {
        return false;
    }

    @Override
    public void write(EvaluationContext context, @Nullable Object target, String name, @Nullable Object value) {
        throw new UnsupportedOperationException();
    }
}
