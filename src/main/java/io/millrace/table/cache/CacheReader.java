package io.millrace.table.cache;

import io.millrace.codec.Counter;
import io.millrace.memory.RawMemory;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a cache, in one thread. Takes no lock, waits for nobody and allocates nothing.
 *
 * <p>Either a value is {@linkplain #get copied}, or single fields of it are read where it lies:
 *
 * <pre>
 * do {
 *   if (!reader.find(key)) { return absent; }
 *   amount = reader.getLong(8);
 * } while (!reader.isIntact());
 * </pre>
 *
 * What was read counts only once {@link #isIntact} was true: before, it may be of another entry, which has taken the
 * place of the one found. Not thread-safe.
 */
public final class CacheReader {

    /** How often it may happen to one get that its entry was overwritten, before it counts as not there. */
    private static final int MOST_TRIES = 16;

    private final MemorySegment memory;
    private final Segments segments;
    private final Counter hits = new Counter();
    private final Counter misses = new Counter();
    private int segment;
    private long place;
    private long valueAt;
    private int length;

    CacheReader(MemorySegment memory, Segments segments) {
        this.memory = memory;
        this.segments = segments;
    }

    /** How often a key was found. */
    Counter hits() {
        return hits;
    }

    /** How often a key was not found. */
    Counter misses() {
        return misses;
    }

    /** Goes to the entry of a key; false where there is none. */
    public boolean find(long key) {
        return find(key, null, 0, 0);
    }

    /** Goes to the entry of a key of some bytes; false where there is none. */
    public boolean find(byte[] key, int at, int keyLength) {
        return find(segments.hash(key, at, keyLength), key, at, keyLength);
    }

    private boolean find(long key, byte @Nullable [] keyBytes, int keyAt, int keyLength) {
        segment = segments.segment(key);
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            long found = segments.find(segment, key, keyBytes, keyAt, keyLength);
            if (found < 0) {
                break;
            }
            long at = segments.at(segment, found);
            int valueLength = Entry.valueLength(memory, at);
            if (segments.isIntact(segment, found)) {
                place = found;
                valueAt = at + Entry.HEADER_BYTES + keyLength;
                length = valueLength;
                hits.add(1);
                return true;
            }
        }
        misses.add(1);
        length = 0;
        return false;
    }

    /** Length of the value found, in bytes. */
    public int length() {
        return length;
    }

    /** Eight bytes of the value found, as a number with the most significant byte first. */
    public long getLong(int offset) {
        Objects.checkFromIndexSize(offset, Long.BYTES, length);
        return RawMemory.getLong(memory, valueAt + offset);
    }

    /** Four bytes of the value found, as a number with the most significant byte first. */
    public int getInt(int offset) {
        Objects.checkFromIndexSize(offset, Integer.BYTES, length);
        return RawMemory.getInt(memory, valueAt + offset);
    }

    /** Copies bytes of the value found. */
    public void copy(int offset, byte[] into, int at, int count) {
        Objects.checkFromIndexSize(offset, count, length);
        RawMemory.copy(memory, valueAt + offset, into, at, count);
    }

    /** Copies bytes of the value found to other memory outside the heap. */
    public void copy(int offset, MemorySegment into, long at, int count) {
        Objects.checkFromIndexSize(offset, count, length);
        RawMemory.copy(memory, valueAt + offset, into, at, count);
    }

    /** Whether all that was read since the last {@code find} is of the entry that it found. */
    public boolean isIntact() {
        return segments.isIntact(segment, place);
    }

    /**
     * Copies the value of a key.
     *
     * @param into receives it, or as much of it as there is room for
     * @return the value's length, or -1 where there is none
     */
    public int get(long key, byte[] into) {
        return get(key, null, 0, 0, into);
    }

    /** Copies the value of a key of some bytes. */
    public int get(byte[] key, int at, int keyLength, byte[] into) {
        return get(segments.hash(key, at, keyLength), key, at, keyLength, into);
    }

    private int get(long key, byte @Nullable [] keyBytes, int keyAt, int keyLength, byte[] into) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            if (!find(key, keyBytes, keyAt, keyLength)) {
                return -1;
            }
            RawMemory.copy(memory, valueAt, into, 0, Math.min(length, into.length));
            if (isIntact()) {
                return length;
            }
        }
        return -1;
    }
}
