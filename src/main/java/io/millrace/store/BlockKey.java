package io.millrace.store;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Keys of blocks. A key is one long, so that Geode keeps it inside the entry, and keys of one writer ascend:
 *
 * <pre>
 *   63             48 47         36 35                                  0
 *   +----------------+-------------+------------------------------------+
 *   | pipeline hash  | partition   | sequence, from 0                   |
 *   +----------------+-------------+------------------------------------+
 *   16 bits            12 bits       36 bits
 * </pre>
 *
 * The hash is the low 16 bits of the CRC32C of the pipeline's name in UTF-8. Two names may share it: a store refuses a
 * second pipeline whose hash in a region is taken.
 */
public final class BlockKey {

    /**
     * How many blocks of one writer may be on their way to a region at a time. Where that writer died, any of its
     * newest blocks, as many as this, may be missing; all before them were stored.
     */
    public static final int MAX_IN_FLIGHT = 16;

    /** Largest partition number. */
    public static final int MAX_PARTITION = 0xFFF;

    private static final int SEQUENCE_BITS = 36;
    private static final long SEQUENCE_MASK = (1L << SEQUENCE_BITS) - 1;

    private BlockKey() {}

    /** The key of the first block that a partition of a pipeline writes; adding 1 gives the next. */
    public static long first(String pipeline, int partition) {
        if (partition < 0 || partition > MAX_PARTITION) {
            throw new IllegalArgumentException("partition=" + partition + " is not between 0 and " + MAX_PARTITION);
        }
        return (long) pipelineHash(pipeline) << 48 | (long) partition << SEQUENCE_BITS;
    }

    /** What stands for a pipeline's name in keys. */
    public static int pipelineHash(String pipeline) {
        CRC32C crc = new CRC32C();
        crc.update(pipeline.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue() & 0xFFFF;
    }

    /** Whether both keys were written by the same partition of the same pipeline. */
    public static boolean sameWriter(long key, long other) {
        return (key ^ other) >>> SEQUENCE_BITS == 0;
    }

    public static int partition(long key) {
        return (int) (key >>> SEQUENCE_BITS) & MAX_PARTITION;
    }

    public static long sequence(long key) {
        return key & SEQUENCE_MASK;
    }

    /** Short form for messages: hash, partition and sequence, such as {@code 9f3a/0/17}. */
    public static String format(long key) {
        return "%04x/%d/%d".formatted(key >>> 48, partition(key), sequence(key));
    }
}
