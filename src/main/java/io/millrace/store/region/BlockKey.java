package io.millrace.store.region;

/**
 * Keys of blocks. A key is one long, so that Geode stores it inside the entry, and keys of one writer ascend:
 *
 * <pre>
 *   63 62                            36 35                                   0
 *   +--+-------------------------------+------------------------------------+
 *   |p | number of the writer          | sequence, from 0                   |
 *   +--+-------------------------------+------------------------------------+
 *    1   27 bits                         36 bits
 * </pre>
 *
 * The store gives each {@linkplain io.millrace.store.write.WriterName writer} a unique number when it first writes.
 * {@code p} is 1 in the key of a writer's {@linkplain #provisional provisional} block, else 0.
 */
public final class BlockKey {

    /**
     * Maximum number of blocks of one writer in flight to a region. If that writer dies, any of its newest blocks, up
     * to this number, may be missing; all before them were stored.
     */
    public static final int MAX_IN_FLIGHT = 16;

    /** Largest number of a writer. */
    public static final int MAX_NUMBER = (1 << 27) - 1;

    private static final int SEQUENCE_BITS = 36;
    private static final long SEQUENCE_MASK = (1L << SEQUENCE_BITS) - 1;

    private BlockKey() {}

    /** Returns the key of the first block of a writer; adding 1 gives the next. */
    public static long first(int number) {
        if (number < 0 || number > MAX_NUMBER) {
            throw new IllegalArgumentException(
                    "Invalid writer number " + number + ". Must be between 0 and " + MAX_NUMBER + ".");
        }
        return (long) number << SEQUENCE_BITS;
    }

    /**
     * Returns the key of a writer's provisional block, whose records its feed delivers again. There is at most one; the
     * writer's next term removes it.
     */
    public static long provisional(int number) {
        return Long.MIN_VALUE | first(number);
    }

    /** Returns whether both keys belong to the same writer. */
    public static boolean sameWriter(long key, long other) {
        return (key ^ other) >>> SEQUENCE_BITS == 0;
    }

    /** Returns the number of the writer. */
    public static int number(long key) {
        return (int) (key >>> SEQUENCE_BITS) & MAX_NUMBER;
    }

    /** Returns the sequence number of the block among those of its writer, from 0. */
    public static long sequence(long key) {
        return key & SEQUENCE_MASK;
    }

    /** Returns a short form for messages: number and sequence, such as {@code 6/17}. */
    public static String format(long key) {
        return number(key) + "/" + sequence(key);
    }
}
