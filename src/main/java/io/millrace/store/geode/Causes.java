package io.millrace.store.geode;

import io.millrace.background.CauseChain;
import io.millrace.store.StoreException;
import io.millrace.store.StoreReopenedException;
import io.millrace.store.SupersededException;
import org.apache.geode.cache.RegionDestroyedException;
import org.jspecify.annotations.Nullable;

/** Finds what matters in Geode's exceptions, which wrap what happened in what was being done. */
final class Causes {

    private Causes() {}

    /** Returns the message of the first cause of all. */
    static @Nullable String first(Throwable failure) {
        Throwable cause = CauseChain.of(failure).getLast();
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Returns whether servers do not have the region that a client wanted: nothing has needed it there yet. */
    static boolean isMissingRegion(Throwable failure) {
        return CauseChain.of(failure).stream()
                .anyMatch(cause -> cause instanceof RegionDestroyedException
                        || String.valueOf(cause.getMessage()).contains("was not found during"));
    }

    /**
     * Returns what to throw for a failure of Geode: a {@link SupersededException} where a server refused the write
     * because its term has ended, a {@link StoreReopenedException} where the servers have restarted and know no terms
     * of before, else a {@link StoreException}.
     *
     * @param what was being done
     */
    static RuntimeException failure(String what, RuntimeException cause) {
        String message = what + " failed: " + first(cause);
        if (CauseChain.has(cause, UnknownWriterException.class)) {
            return new StoreReopenedException(message);
        }
        return CauseChain.has(cause, StaleTermException.class)
                ? new SupersededException(message, cause)
                : new StoreException(message, cause);
    }
}
