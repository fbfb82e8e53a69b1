package io.millrace.store.geode.cache;

import io.millrace.background.CauseChain;
import io.millrace.store.error.CorruptDataException;
import io.millrace.store.error.StoreException;
import io.millrace.store.error.StoreReopenedException;
import io.millrace.store.error.SupersededException;
import org.apache.geode.cache.DiskAccessException;
import org.apache.geode.cache.RegionDestroyedException;
import org.jspecify.annotations.Nullable;

/** Finds the relevant cause in Geode's exceptions, which wrap it in exceptions of the calling operation. */
public final class Causes {

    /** What to do about a damaged disk file. */
    public static final String RESTORE =
            "Restore the data folder from a copy, or move it away and read the feeds again.";

    /** Geode's message if it reads a value behind the end of its file, with a number behind each part. */
    private static final String SEEK = "Tried to seek to ";

    private static final String LENGTH = ", but the file length is ";

    private Causes() {}

    /** Returns the message of the root cause. */
    public static @Nullable String first(Throwable failure) {
        Throwable cause = CauseChain.of(failure).getLast();
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Returns whether a disk file is shorter than it was when values were written to it. */
    static boolean isTruncation(@Nullable Throwable failure) {
        return failure != null && truncation(failure) != null;
    }

    private static @Nullable String truncation(Throwable failure) {
        for (Throwable cause : CauseChain.of(failure)) {
            String message = String.valueOf(cause.getMessage());
            int seek = message.indexOf(SEEK);
            int length = message.indexOf(LENGTH, Math.max(0, seek));
            if (cause instanceof DiskAccessException && seek >= 0 && length >= 0) {
                int end = message.indexOf('.', length);
                return "a disk file is truncated: it has "
                        + message.substring(length + LENGTH.length(), end < 0 ? message.length() : end)
                        + " bytes, and the value ends at byte " + message.substring(seek + SEEK.length(), length);
            }
        }
        return null;
    }

    /** Returns the message of the root cause, or that a disk file is truncated. */
    static @Nullable String describe(Throwable failure) {
        String truncation = truncation(failure);
        return truncation == null ? first(failure) : truncation;
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
     * earlier terms, a {@link CorruptDataException} if a disk file is truncated, else a {@link StoreException}.
     *
     * @param what operation that failed
     */
    public static RuntimeException failure(String what, RuntimeException cause) {
        String truncation = truncation(cause);
        if (truncation != null) {
            return new CorruptDataException(what + ": " + truncation + ". " + RESTORE, null);
        }
        String message = what + ": " + first(cause);
        if (CauseChain.has(cause, UnknownWriterException.class)) {
            return new StoreReopenedException(message);
        }
        return CauseChain.has(cause, StaleTermException.class)
                ? new SupersededException(message, cause)
                : new StoreException(message, cause);
    }
}
