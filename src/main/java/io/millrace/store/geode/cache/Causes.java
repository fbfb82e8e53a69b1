package io.millrace.store.geode.cache;

import io.millrace.background.CauseChain;
import io.millrace.store.error.StoreException;
import io.millrace.store.error.StoreReopenedException;
import io.millrace.store.error.SupersededException;
import org.apache.geode.cache.RegionDestroyedException;
import org.jspecify.annotations.Nullable;

/** Finds the relevant cause in Geode's exceptions, which wrap it in exceptions of the calling operation. */
public final class Causes {

    private Causes() {}

    /** Returns the message of the root cause. */
    public static @Nullable String first(Throwable failure) {
        Throwable cause = CauseChain.of(failure).getLast();
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Returns whether the servers lack the region that a client requested, because nothing there has needed it yet. */
    public static boolean isMissingRegion(Throwable failure) {
        return CauseChain.of(failure).stream()
                .anyMatch(cause -> cause instanceof RegionDestroyedException
                        || String.valueOf(cause.getMessage()).contains("was not found during"));
    }

    /**
     * Returns the exception to throw for a failure of Geode: a {@link SupersededException} if a server refused the
     * write because its term has ended, a {@link StoreReopenedException} if the servers have restarted and do not know
     * earlier terms, else a {@link StoreException}.
     *
     * @param what operation that failed
     */
    public static RuntimeException failure(String what, RuntimeException cause) {
        String message = what + ": " + first(cause);
        if (CauseChain.has(cause, UnknownWriterException.class)) {
            return new StoreReopenedException(message);
        }
        return CauseChain.has(cause, StaleTermException.class)
                ? new SupersededException(message, cause)
                : new StoreException(message, cause);
    }
}
