package io.millrace.view.value;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** How the type of a getter shows an absent value. */
public enum OptionalKind {
    /** As null. */
    NONE,
    OBJECT,
    INT,
    LONG,
    DOUBLE;

    public static OptionalKind of(Class<?> type) {
        return type == Optional.class
                ? OBJECT
                : type == OptionalInt.class
                        ? INT
                        : type == OptionalLong.class ? LONG : type == OptionalDouble.class ? DOUBLE : NONE;
    }

    /** Returns the type of values that are there. */
    public ResolvableType valueType(ResolvableType type) {
        return switch (this) {
            case NONE -> type;
            case OBJECT -> type.getGeneric();
            case INT -> ResolvableType.forClass(Integer.class);
            case LONG -> ResolvableType.forClass(Long.class);
            case DOUBLE -> ResolvableType.forClass(Double.class);
        };
    }

    /** Returns a value, or null, in the type of the getter. */
    public @Nullable Object wrap(@Nullable Object value) {
        if (this == NONE) {
            return value; // the usual kind, without a read of the array that a switch over an enum uses
        }
        return switch (this) {
            case NONE -> value;
            case OBJECT -> Optional.ofNullable(value);
            case INT -> value == null ? OptionalInt.empty() : OptionalInt.of((Integer) value);
            case LONG -> value == null ? OptionalLong.empty() : OptionalLong.of((Long) value);
            case DOUBLE -> value == null ? OptionalDouble.empty() : OptionalDouble.of((Double) value);
        };
    }

    /** Returns the value in an object of the getter's type, or null if it is absent. */
    public static @Nullable Object unwrap(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Optional<?> some -> some.orElse(null);
            case OptionalInt some -> some.isPresent() ? some.getAsInt() : null;
            case OptionalLong some -> some.isPresent() ? some.getAsLong() : null;
            case OptionalDouble some -> some.isPresent() ? some.getAsDouble() : null;
            default -> value;
        };
    }
}
