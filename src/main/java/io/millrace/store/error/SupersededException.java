package io.millrace.store.error;

import io.millrace.background.CauseChain;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a write is refused because another process has claimed the writer since. Nothing was written, and
 * retrying does not help. The new owner stores what this process had not stored yet.
 */
public class SupersededException extends RuntimeException {

    public SupersededException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns whether this exception is among the causes of another one. */
    public static boolean isCauseOf(Throwable failure) {
        return CauseChain.has(failure, SupersededException.class);
    }
}
