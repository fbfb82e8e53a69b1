package io.millrace.store.geode;

import org.jspecify.annotations.Nullable;

/** Finds what is worth telling in Geode's exceptions, which wrap what happened in what was being done. */
final class Causes {

    private Causes() {}

    /** The message of the first cause of all. */
    static @Nullable String first(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
