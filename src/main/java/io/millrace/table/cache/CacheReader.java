package io.millrace.table.cache;

import io.millrace.codec.Counter;
import io.millrace.memory.RawMemory;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads a cache. Takes no lock, never waits and allocates nothing.
 *
 * <p>A reader either {@linkplain #get copies} a value, or reads single fields of it in place:
 *
 * <pre>
 * do {
 *   if (!reader.find(key)) { return absent; }
 *   amount = reader.getLong(8);
 * } while (!reader.isIntact());
 * </pre>
 *
 * Values read in place are valid only if {@link #isIntact} then returns true. Otherwise a writer may have overwritten
 * the entry while it was read. Not thread-safe.
 */
@API(status = API.Status.STABLE)
public final class CacheReader {

    /** Number of times that an entry may be overwritten during one {@code get} before the key counts as not found. */
    private static final int MAX_ATTEMPTS = 16;

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

    /** Returns the number of lookups that found their key. */
    Counter hits() {
        return hits;
    }

    /** Returns the number of lookups that did not find their key. */
    Counter misses() {
        return misses;
    }

    /** Moves to the entry of a key; returns false if there is none. */
    public boolean find(long key) {
        return find(key, null, 0, 0);
    }

    /** Moves to the entry of a key that is a byte sequence; returns false if there is none. */
    public boolean find(byte[] key, int at, int keyLength) {
        return find(segments.hash(key, at, keyLength), key, at, keyLength);
    }

    private boolean find(long key, byte @Nullable [] keyBytes, int keyAt, int keyLength) {
        segment = segments.segment(key);
        for (int attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
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

    /** Returns the length in bytes of the value found. */
    public int length() {
        return length;
    }

    /** Returns eight bytes of the value found as a big-endian number. */
    public long getLong(int offset) {
        Objects.checkFromIndexSize(offset, Long.BYTES, length);
        return RawMemory.getLong(memory, valueAt + offset);
    }

    /** Returns four bytes of the value found as a big-endian number. */
    public int getInt(int offset) {
        Objects.checkFromIndexSize(offset, Integer.BYTES, length);
        return RawMemory.getInt(memory, valueAt + offset);
    }

    /** Copies a part of the value found. */
    public void copy(int offset, byte[] into, int at, int count) {
        Objects.checkFromIndexSize(offset, count, length);
        RawMemory.copy(memory, valueAt + offset, into, at, count);
    }

    /** Copies a part of the value found to memory outside the heap. */
    public void copy(int offset, MemorySegment into, long at, int count) {
        Objects.checkFromIndexSize(offset, count, length);
        RawMemory.copy(memory, valueAt + offset, into, at, count);
    }

    /** Returns whether everything read since the last {@code find} belongs to the entry that it found. */
    public boolean isIntact() {
        return segments.isIntact(segment, place);
    }

    /**
     * Copies the value of a key.
     *
     * @param into receives the value, or as much of it as fits
     * @return the value's length in bytes, or -1 if there is no such key
     */
    public int get(long key, byte[] into) {
        return get(key, null, 0, 0, into);
    }

    /** Copies the value of a key that is a byte sequence. */
    public int get(byte[] key, int at, int keyLength, byte[] into) {
        return get(segments.hash(key, at, keyLength), key, at, keyLength, into);
    }

    private int get(long key, byte @Nullable [] keyBytes, int keyAt, int keyLength, byte[] into) {
        for (int attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
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
