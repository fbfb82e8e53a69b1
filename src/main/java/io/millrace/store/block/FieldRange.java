package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Smallest and largest raw number of a field over a run of records; absent values don't count. Not thread-safe;
 * allocates nothing.
 */
final class FieldRange {

    private static final int CHUNK = 256;

    private final long[] chunk = new long[CHUNK];
    private final Field field;
    private final int nameCrc;
    private final IntStorage storage;
    private final int offset;
    private final boolean optional;
    private final long absent;
    private final boolean nullFlag;
    private final int nullFlagAt;
    private long min;
    private long max;
    private boolean any;

    private FieldRange(Field field, IntStorage storage) {
        this.field = field;
        this.nameCrc = BlockFormat.nameCrc(field.name());
        this.storage = storage;
        this.offset = field.offset();
        this.nullFlag = field.nullFlag();
        this.nullFlagAt = field.nullFlagAt();
        this.optional = field.optional() && !nullFlag;
        this.absent = field.nullRaw();
    }

    /**
     * Returns the range of a field, or null if there is no field or its bytes are not a number with the order of longs.
     */
    static @Nullable FieldRange of(@Nullable Field field) {
        if (field != null
                && field.type() instanceof FieldType.Numbered numbered
                && !numbered.storage().unsignedLong()) {
            return new FieldRange(field, numbered.storage());
        }
        return null;
    }

    /** Returns the schema's time: its first field that is an instant or, without one, a date. */
    static @Nullable Field timeField(Schema schema) {
        Field day = null;
        for (Field field : schema.fields()) {
            if (field.type() instanceof FieldType.InstantType) {
                return field;
            }
            if (day == null && field.type() instanceof FieldType.DateType) {
                day = field;
            }
        }
        return day;
    }

    /** Reads the field of consecutive records; previous values no longer count. */
    void measure(byte[] bytes, int start, int count, int recordLength) {
        if (nullFlag) {
            clear();
            for (int i = 0; i < count; i++) {
                include(bytes, start + i * recordLength);
            }
            return;
        }
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        boolean found = false;
        for (int first = 0; first < count; first += CHUNK) {
            int size = Math.min(CHUNK, count - first);
            RawBytes.getAll(bytes, start + offset + first * recordLength, recordLength, size, storage, chunk, 0);
            for (int i = 0; i < size; i++) {
                long raw = chunk[i];
                boolean present = !optional || raw != absent;
                found |= present;
                low = Math.min(low, present ? raw : low);
                high = Math.max(high, present ? raw : high);
            }
        }
        min = low;
        max = high;
        any = found;
    }

    /** Reads the field of one more record. */
    void include(byte[] bytes, int record) {
        long raw = RawBytes.get(bytes, record + offset, storage);
        if (nullFlag ? bytes[record + nullFlagAt] != 0 : optional && raw == absent) {
            return;
        }
        min = any ? Math.min(min, raw) : raw;
        max = any ? Math.max(max, raw) : raw;
        any = true;
    }

    /** Returns the checksum that identifies the field in a block's header. */
    int nameCrc() {
        return nameCrc;
    }

    /** Sets a range that was determined elsewhere; previous values no longer count. */
    void set(boolean found, long low, long high) {
        any = found;
        min = low;
        max = high;
    }

    Field field() {
        return field;
    }

    /** Discards all values. */
    void clear() {
        any = false;
    }

    /** Returns whether any record had a value. */
    boolean any() {
        return any;
    }

    /** Returns the smallest raw number; meaningful only if there is {@linkplain #any() any}. */
    long min() {
        return min;
    }

    /** Returns the largest raw number; meaningful only if there is {@linkplain #any() any}. */
    long max() {
        return max;
    }
}
