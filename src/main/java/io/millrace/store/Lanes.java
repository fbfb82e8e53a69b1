package io.millrace.store;

/**
 * Ranges asked of all lanes of a long at once, as of a small vector: each lane is an unsigned code, lane 0 the least
 * significant. The answer has a bit for each lane, from the lowest on. Which of both ways is taken, {@code same}, is
 * the same for a whole column, so the processor foresees it.
 *
 * <p>{@code from} holds the range's smallest code in each lane, {@code past} the code past its largest one, or 0 where
 * no code lies past it.
 */
final class Lanes {

    private Lanes() {}

    /** 32 lanes of 2 bits. */
    static long pairs(long codes, long from, long past, boolean same) {
        long x = matches(codes, from, past, same, 0xAAAA_AAAA_AAAA_AAAAL) >>> 1;
        x = (x | (x >>> 1)) & 0x3333_3333_3333_3333L;
        x = (x | (x >>> 2)) & 0x0F0F_0F0F_0F0F_0F0FL;
        x = (x | (x >>> 4)) & 0x00FF_00FF_00FF_00FFL;
        x = (x | (x >>> 8)) & 0x0000_FFFF_0000_FFFFL;
        return (x | (x >>> 16)) & 0xFFFF_FFFFL;
    }

    /** 16 lanes of 4 bits. */
    static long nibbles(long codes, long from, long past, boolean same) {
        long x = matches(codes, from, past, same, 0x8888_8888_8888_8888L) >>> 3;
        x = (x | (x >>> 3)) & 0x0303_0303_0303_0303L;
        x = (x | (x >>> 6)) & 0x000F_000F_000F_000FL;
        // Four times four bits, each moved to its place in the highest 16; no two meet.
        return (x * 0x0001_0010_0100_1000L) >>> 48;
    }

    /** 8 lanes of 8 bits. */
    static long bytes(long codes, long from, long past, boolean same) {
        // Each lane's bit is moved to its place in the highest byte; no two meet.
        return ((matches(codes, from, past, same, 0x8080_8080_8080_8080L) >>> 7) * 0x0102_0408_1020_4080L) >>> 56;
    }

    /**
     * The highest bit of each lane whose code lies in the range.
     *
     * @param tops the highest bits of all lanes
     */
    private static long matches(long codes, long from, long past, boolean same, long tops) {
        if (same) {
            long differences = codes ^ from;
            return ~(((differences & ~tops) + ~tops) | differences) & tops;
        }
        long below = past == 0 ? tops : ~reached(codes, past, tops) & tops;
        return reached(codes, from, tops) & below;
    }

    /** The highest bit of each lane whose code is not below that of another: no lane borrows from the next. */
    private static long reached(long codes, long bounds, long tops) {
        long rest = (codes | tops) - (bounds & ~tops);
        return ((codes & ~bounds) | (~(codes ^ bounds) & rest)) & tops;
    }
}
