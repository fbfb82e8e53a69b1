package io.millrace.store;

/**
 * Ranges asked of all lanes of a long at once, as of a small vector: each lane is an unsigned code. Exact for all
 * codes: no lane borrows from the next.
 */
final class Lanes {

    /** The highest bits of lanes of 2 bits. */
    static final long PAIRS = 0xAAAA_AAAA_AAAA_AAAAL;

    /** The highest bits of lanes of 4 bits. */
    static final long NIBBLES = 0x8888_8888_8888_8888L;

    /** The highest bits of lanes of 8 bits. */
    static final long BYTES = 0x8080_8080_8080_8080L;

    private Lanes() {}

    /**
     * The highest bit of each lane whose code lies in a range, and no other bit.
     *
     * @param from the range's smallest code, in each lane
     * @param past the code past its largest one, in each lane, or 0 where no code lies past it
     * @param same whether the range is one code; the same for a whole column, so that the processor foresees it
     * @param tops the highest bits of all lanes
     */
    static long matches(long codes, long from, long past, boolean same, long tops) {
        if (same) {
            long differences = codes ^ from;
            return ~(((differences & ~tops) + ~tops) | differences) & tops;
        }
        long below = past == 0 ? tops : ~reached(codes, past, tops) & tops;
        return reached(codes, from, tops) & below;
    }

    /** The highest bit of each lane whose code is not below that of another. */
    private static long reached(long codes, long bounds, long tops) {
        long rest = (codes | tops) - (bounds & ~tops);
        return ((codes & ~bounds) | (~(codes ^ bounds) & rest)) & tops;
    }
}
