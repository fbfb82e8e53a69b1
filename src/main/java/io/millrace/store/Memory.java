package io.millrace.store;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Where a region's values are while it is open.
 *
 * @param limit how many bytes of values a member has in memory, copies included; those not used for longest are on its
 *     disk only. Null where all are in memory
 * @param offHeap whether they are outside of the Java heap
 */
public record Memory(@Nullable Long limit, boolean offHeap) implements Serializable {

    /** All values, in the heap. */
    public static final Memory HEAP = new Memory(null, false);

    /** Geode counts in these. */
    private static final long MEGABYTE = 1 << 20;

    public Memory {
        if (limit != null && limit < MEGABYTE) {
            throw new IllegalArgumentException("max-memory=" + limit + " is below " + MEGABYTE + " bytes");
        }
    }

    /** The limit in megabytes, rounded down; meaningful only where there is one. */
    public int limitMegabytes() {
        return limit == null ? 0 : (int) Math.min(Integer.MAX_VALUE, limit / MEGABYTE);
    }
}
