package io.millrace.store;

import java.util.List;
import java.util.Locale;

/** Bounds of what a query may ask for, held wherever one is made: also where a server reads it from the network. */
final class Limits {

    /** The most memory that a query may need for what it holds until its end, on each member. */
    static final long MAX_QUERY_BYTES = 128L << 20;

    /** The longest key of a group. */
    static final int MAX_KEY_BYTES = 1024;

    private Limits() {}

    /** @throws IllegalArgumentException where a list is too long */
    static void requireAtMost(int most, String name, List<?> list) {
        if (list.size() > most) {
            throw new IllegalArgumentException(
                    "Too many expressions in '" + name + "': " + list.size() + ". At most " + most + " are allowed.");
        }
    }

    /**
     * Refuses a query before it allocates what it would need at most.
     *
     * @param limit how many records or groups it may hold
     * @param bytes of each
     * @throws IllegalArgumentException where that is more than {@link #MAX_QUERY_BYTES}
     */
    static void requireMemory(long limit, long bytes) {
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

    /** @throws IllegalArgumentException where the key of a group is longer than {@link #MAX_KEY_BYTES} */
    static void requireKeyLength(int bytes) {
        if (bytes > MAX_KEY_BYTES) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "The expressions in 'by' are too long together: %,d bytes. At most %,d are allowed.",
                    bytes,
                    MAX_KEY_BYTES));
        }
    }
}
