package io.millrace.store.query;

import java.util.List;
import java.util.Locale;

/** Limits of queries, enforced at every construction: also when a server reads a query from the network. */
public final class Limits {

    /** Maximum memory that a query may need for data it holds until its end, on each member. */
    public static final long MAX_QUERY_BYTES = 128L << 20;

    /** Maximum length of the key of a group. */
    static final int MAX_KEY_BYTES = 1024;

    private Limits() {}

    /** @throws IllegalArgumentException if a list is too long */
    static void requireAtMost(int max, String name, List<?> list) {
        if (list.size() > max) {
            throw new IllegalArgumentException(
                    "Too many expressions in '" + name + "': " + list.size() + ". At most " + max + " are allowed.");
        }
    }

    /**
     * Checks the maximum memory of a query before it allocates anything.
     *
     * @param limit maximum number of records or groups that it holds
     * @param bytes of each
     * @throws IllegalArgumentException if that is more than {@link #MAX_QUERY_BYTES}
     */
    public static void requireMemory(long limit, long bytes) {
        if (bytes > MAX_QUERY_BYTES / limit) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "The query may need too much memory: %,d entries of %,d bytes. At most %d MB are allowed: lower"
                            + " 'limit', or use fewer expressions.",
                    limit,
                    bytes,
                    MAX_QUERY_BYTES >> 20));
        }
    }

    /**
     * Requires that the key of a group is not too long.
     *
     * @throws IllegalArgumentException if it is longer than {@link #MAX_KEY_BYTES}
     */
    public static void requireKeyLength(int bytes) {
        if (bytes > MAX_KEY_BYTES) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "The expressions in 'by' are too long together: %,d bytes. At most %,d are allowed.",
                    bytes,
                    MAX_KEY_BYTES));
        }
    }
}
