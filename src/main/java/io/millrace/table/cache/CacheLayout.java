package io.millrace.table.cache;

import io.millrace.hash.SeededHash;
import io.millrace.memory.Checksums;
import io.millrace.memory.RawMemory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * The layout of a cache's memory, and its header. Numbers of the header are big-endian. Segment states and indexes have
 * the machine's native byte order, which the header records.
 *
 * <pre>
 *  0        8         12         16         20        24       32      40     48         52      56     72
 *  +--------+---------+----------+----------+---------+--------+-------+------+----------+-------+------+-- ... 4096
 *  | magic  | version | eviction | segments | buckets | area   | stamp | seed | checksum | clean | boot | 0
 *  +--------+---------+----------+----------+---------+--------+-------+------+----------+-------+------+-- ...
 *  4096
 *  +-----------------------------------+-- ... --+--------+-- ...
 *  | state, index, marks of segment 0  |         | area 0 |
 *  +-----------------------------------+-- ... --+--------+-- ...
 * </pre>
 *
 * @param eviction what happens to old entries when a segment is full
 * @param segments number of segments
 * @param buckets number of index buckets in each segment
 * @param areaBytes size of each segment's entry area in bytes, a power of two
 * @param stamp identifies what the values are, such as a schema fingerprint
 * @param seed seed of the key hash, chosen at random for each new cache
 */
record CacheLayout(Eviction eviction, int segments, int buckets, long areaBytes, long stamp, long seed) {

    static final long STATES_AT = 4096;
    static final int BOOT_AT = 56;

    private static final long MAGIC = 0x4D52434143484531L;
    private static final int VERSION = 3;
    private static final int SEED_AT = 40;
    private static final int CHECKED_BYTES = 48;
    private static final int CLEAN_AT = 52;
    private static final int NATIVE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 << 8 : 0;

    /** Returns the layout of a new cache. */
    static CacheLayout of(CacheOptions options, SeededHash hash) {
        return new CacheLayout(
                options.eviction(),
                options.segments(),
                options.buckets(),
                options.segmentBytes(),
                options.stamp(),
                hash.seed());
    }

    /**
     * Returns this layout with the seed that the header in memory stores. The header must {@linkplain #isIn match}
     * these options.
     */
    CacheLayout withSeedOf(MemorySegment memory) {
        return new CacheLayout(eviction, segments, buckets, areaBytes, stamp, RawMemory.getLong(memory, SEED_AT));
    }

    /** Returns the offset in bytes from a segment's state to its read marks. */
    long readOffset() {
        return Segments.STATE_BYTES + (long) buckets * Index.BUCKET_BYTES;
    }

    /** Returns the distance in bytes from one segment's state to the next. */
    long stateStride() {
        long marks = eviction == Eviction.CLOCK ? (long) buckets * (Index.SLOTS + 1) : 0;
        return (readOffset() + marks + Index.BUCKET_BYTES - 1) & -Index.BUCKET_BYTES;
    }

    long areasAt() {
        return (STATES_AT + segments * stateStride() + STATES_AT - 1) & -STATES_AT;
    }

    /** Returns the offset in bytes of a segment's entry area. */
    long areaAt(int segment) {
        return areasAt() + segment * areaBytes;
    }

    /** Returns the size of the whole cache in bytes. */
    long length() {
        return areasAt() + segments * areaBytes;
    }

    void write(MemorySegment memory) {
        RawMemory.putLong(memory, 0, MAGIC);
        RawMemory.putInt(memory, 8, VERSION | NATIVE);
        RawMemory.putInt(memory, 12, eviction.code());
        RawMemory.putInt(memory, 16, segments);
        RawMemory.putInt(memory, 20, buckets);
        RawMemory.putLong(memory, 24, areaBytes);
        RawMemory.putLong(memory, 32, stamp);
        RawMemory.putLong(memory, SEED_AT, seed);
        RawMemory.putInt(memory, CHECKED_BYTES, Checksums.crc32c(memory, 0, CHECKED_BYTES));
    }

    /** Returns whether memory starts with an intact header of this layout, with any seed. */
    boolean isIn(MemorySegment memory) {
        if (memory.byteSize() != length()) {
            return false;
        }
        return RawMemory.getLong(memory, 0) == MAGIC
                && RawMemory.getInt(memory, 8) == (VERSION | NATIVE)
                && RawMemory.getInt(memory, 12) == eviction.code()
                && RawMemory.getInt(memory, 16) == segments
                && RawMemory.getInt(memory, 20) == buckets
                && RawMemory.getLong(memory, 24) == areaBytes
                && RawMemory.getLong(memory, 32) == stamp
                && RawMemory.getInt(memory, CHECKED_BYTES) == Checksums.crc32c(memory, 0, CHECKED_BYTES);
    }

    static boolean isClean(MemorySegment memory) {
        return RawMemory.getInt(memory, CLEAN_AT) == 1;
    }

    static void clean(MemorySegment memory, boolean clean) {
        RawMemory.putInt(memory, CLEAN_AT, clean ? 1 : 0);
    }

    /**
     * Returns whether the memory was last written during the current boot of the machine, so that no page of it was
     * lost.
     */
    static boolean isOfThisBoot(MemorySegment memory) {
        Boot boot = Boot.CURRENT;
        return boot.isKnown()
                && RawMemory.getLong(memory, BOOT_AT) == boot.high()
                && RawMemory.getLong(memory, BOOT_AT + Long.BYTES) == boot.low();
    }

    static void ofThisBoot(MemorySegment memory) {
        RawMemory.putLong(memory, BOOT_AT, Boot.CURRENT.high());
        RawMemory.putLong(memory, BOOT_AT + Long.BYTES, Boot.CURRENT.low());
    }
}
