package io.millrace.view.access;

import org.jspecify.annotations.Nullable;

/**
 * Reads and writes one member of views of one form. Implementations are records: the JIT compiler treats their
 * components as constants, so that a getter becomes a read at a literal offset. Immutable.
 */
public interface Access {

    /** Returns the value in the type of the getter; null or an empty optional if it is absent. */
    @Nullable
    Object get(BinaryView view);

    /** Returns a whole number. */
    default long number(BinaryView view) {
        return ((Number) value(view)).longValue();
    }

    /** Returns a floating-point number. */
    default double real(BinaryView view) {
        return ((Number) value(view)).doubleValue();
    }

    /** Returns a boolean. */
    default boolean truth(BinaryView view) {
        return (Boolean) value(view);
    }

    private Object value(BinaryView view) {
        Object value = get(view);
        if (value == null) {
            throw new IllegalStateException("The value of a primitive getter is absent.");
        }
        return value;
    }

    /**
     * Writes a value given in the type of the getter. A value that is refused, also by one of its parts, changes
     * nothing.
     */
    default void set(BinaryView view, @Nullable Object value) {
        if (view.millraceBytes() != null) {
            throw view.millraceForm().immutable();
        }
    }

    /** Writes a value as {@link #set}, but a value that is refused may be written in part. */
    default void write(BinaryView view, @Nullable Object value) {
        set(view, value);
    }
}
