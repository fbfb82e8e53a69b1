package io.millrace.store.block;

/**
 * Evaluates ranges on all lanes of a long at once, as on a small vector: each lane is an unsigned code. Exact for all
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
     * Returns the highest bit of each lane whose code lies in a range, and no other bit.
     *
     * @param low smallest code of the range, in each lane
     * @param pastHigh the code past the largest one of the range, in each lane, or 0 if there is no such code
     * @param singleCode whether the range is one code; constant for a whole column, so that the processor predicts the
     *     branch
     * @param tops the highest bits of all lanes
     */
    static long matches(long codes, long low, long pastHigh, boolean singleCode, long tops) {
        if (singleCode) {
            long differences = codes ^ low;
            return ~(((differences & ~tops) + ~tops) | differences) & tops;
        }
        long below = pastHigh == 0 ? tops : ~atLeast(codes, pastHigh, tops) & tops;
        return atLeast(codes, low, tops) & below;
    }

    /** Returns the highest bit of each lane whose code is not below that of another. */
    private static long atLeast(long codes, long bounds, long tops) {
        long rest = (codes | tops) - (bounds & ~tops);
        return ((codes & ~bounds) | (~(codes ^ bounds) & rest)) & tops;
    }
}
