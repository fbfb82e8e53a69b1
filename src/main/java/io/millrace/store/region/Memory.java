package io.millrace.store.region;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The location of a region's values while it is open.
 *
 * @param limit maximum bytes of values in a member's memory, redundant copies included; the least recently used values
 *     are only on its disk. Null if all are in memory
 * @param offHeap whether they are outside the Java heap
 */
public record Memory(@Nullable Long limit, boolean offHeap) implements Serializable {

    /** All values, on the heap. */
    public static final Memory HEAP = new Memory(null, false);

    /** The unit in which Geode configures memory. */
    private static final long MEGABYTE = 1 << 20;

    public Memory {
        if (limit != null && limit < MEGABYTE) {
            throw new IllegalArgumentException("Invalid max-memory '" + limit + "B'. Use 1MB or more.");
        }
    }

    /** Returns the limit in megabytes, rounded down; meaningful only if there is one. */
    public int limitMegabytes() {
        return limit == null ? 0 : (int) Math.min(Integer.MAX_VALUE, limit / MEGABYTE);
    }
}
