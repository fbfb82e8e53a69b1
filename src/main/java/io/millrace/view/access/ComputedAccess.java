package io.millrace.view.access;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that a function computes from the view.
 *
 * @param function receives the view
 */
record ComputedAccess(Function<Object, ? extends @Nullable Object> function) implements Access {

    @Override
    public @Nullable Object get(BinaryView view) {
        return function.apply(view);
    }
}
