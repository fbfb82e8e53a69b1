package io.millrace.table;

import io.millrace.codec.FieldValueException;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordCodec;
import io.millrace.hash.KeyHash;
import io.millrace.memory.OffHeap;
import io.millrace.memory.RawMemory;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Rows outside the heap that are found by their key, in memory or in a mapped file. Opening a file reads only its
 * header. Immutable, so safe for use by many threads; lookups allocate nothing.
 *
 * <p>A row is identified by the offset of its first byte in {@link #memory()}. If keys are numbers that lie close
 * together, each key has a slot of its own, and a lookup reads one bit. Otherwise rows are in buckets of four on
 * average, sorted by the bucket's number, which follows from the key's hash. An index contains the start of each
 * bucket, and the keys of a bucket are stored together. A lookup then reads one cache line of the index, one or two of
 * keys, and the row.
 */
public final class PackedTable {

    private static final int ROWS_PER_BUCKET = 4;

    private final MemorySegment memory;
    private final TableHeader header;
    private final String version;
    private final Schema schema;
    private final Field key;
    private final boolean direct;
    private final boolean full;
    private final long smallestKey;
    private final long slots;
    private final long buckets;
    private final int rowLength;
    private final long indexAt;
    private final long keysAt;
    private final long rowsAt;

    private PackedTable(MemorySegment memory, TableHeader header) {
        this.memory = memory;
        this.header = header;
        this.version = header.version(memory);
        int end = header.text().indexOf('\n');
        this.schema = SchemaText.read(header.text().substring(end + 1));
        this.key = Objects.requireNonNull(schema.field(header.text().substring(0, end)));
        this.direct = header.form() == TableForm.DIRECT;
        this.full = header.slots() == header.rows();
        this.smallestKey = header.smallestKey();
        this.slots = header.slots();
        this.buckets = header.buckets();
        this.rowLength = header.rowLength();
        this.indexAt = header.indexAt();
        this.keysAt = header.keysAt();
        this.rowsAt = header.rowsAt();
    }

    /** Returns the number of buckets for a number of rows. */
    static long bucketsFor(long rows) {
        return Math.max(1, rows / ROWS_PER_BUCKET);
    }

    /**
     * Returns the bucket of a hash. It is proportional to the hash, so that rows sorted by bucket are sorted by the
     * first bits of their hashes.
     */
    static long bucket(long hash, long buckets) {
        return Math.unsignedMultiplyHigh(hash, buckets);
    }

    /** Returns the complete table in memory. */
    static PackedTable of(MemorySegment memory, TableHeader header) {
        return new PackedTable(memory, header);
    }

    /**
     * Opens the table in a file. Reads its header and none of its rows.
     *
     * @param name for messages
     * @throws TableException if the file is not a complete table
     */
    public static PackedTable open(String name, Path file) throws IOException {
        return read(name, file.toString(), OffHeap.open(file));
    }

    /**
     * Returns the table whose bytes were copied to memory. Reads all of them.
     *
     * @param name for messages
     * @param source where the bytes come from, for messages
     * @throws TableException if they are not a complete table, or corrupt
     */
    public static PackedTable restore(String name, String source, MemorySegment memory) {
        PackedTable table = read(name, source, memory);
        if (table.damaged() > 0) {
            throw new TableException(name, source, List.of("Corrupt rows: invalid checksum."));
        }
        return table;
    }

    private static PackedTable read(String name, String source, MemorySegment memory) {
        TableHeader header = TableHeader.read(memory, name, source);
        PackedTable table;
        try {
            table = new PackedTable(memory, header);
        } catch (RuntimeException e) {
            throw new TableException(
                    name,
                    source,
                    List.of("Invalid schema of the table: " + e.getMessage() + " Build the table again."));
        }
        if (table.schema.fingerprint() != header.fingerprint()) {
            throw new TableException(
                    name, source, List.of("Invalid fingerprint of the table's schema. Build the table again."));
        }
        return table;
    }

    /** Returns the schema of the rows. A required field has a value in every row. */
    public Schema schema() {
        return schema;
    }

    /** Returns the field by which rows are found. */
    public Field key() {
        return key;
    }

    /** Returns the number of rows, without the absent row. */
    public long rows() {
        return header.rows();
    }

    /** Returns the size of the table in bytes. */
    public long bytes() {
        return memory.byteSize();
    }

    /** Returns the version of the rows: a hash that is equal for equal rows of the same schema in the same order. */
    public String version() {
        return version;
    }

    /** Returns how rows are found: {@code direct} or {@code hashed}. */
    public String form() {
        return header.form().tag();
    }

    /** Returns the stamp of the source at the time of the build. */
    long stamp() {
        return header.stamp();
    }

    /** Returns the memory that contains the rows. */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Returns the row for keys that the table does not contain. Its optional fields are absent; the bytes of its
     * required fields have no meaning.
     */
    public long absentRow() {
        return rowsAt;
    }

    /** Returns the row of a number or code, or {@link #absentRow()}. */
    public long find(long keyValue) {
        if (direct) {
            long slot = keyValue - smallestKey;
            return slot >= 0 && slot < slots && (full || isTaken(slot)) ? row(slot) : rowsAt;
        }
        long bucket = indexAt + bucket(KeyHash.of(keyValue), buckets) * Integer.BYTES;
        int end = RawMemory.getInt(memory, bucket + Integer.BYTES);
        for (int i = RawMemory.getInt(memory, bucket); i < end; i++) {
            if (RawMemory.getLong(memory, keysAt + (long) i * Long.BYTES) == keyValue) {
                return row(i);
            }
        }
        return rowsAt;
    }

    /**
     * Returns the row of a text, or {@link #absentRow()}.
     *
     * @param keys contains the text at {@code at}, with the width and the padding of the key's field
     */
    public long find(byte[] keys, int at) {
        int width = key.type().bytes();
        long hash = KeyHash.of(keys, at, width);
        long bucket = indexAt + bucket(hash, buckets) * Integer.BYTES;
        int end = RawMemory.getInt(memory, bucket + Integer.BYTES);
        for (int i = RawMemory.getInt(memory, bucket); i < end; i++) {
            if (RawMemory.getLong(memory, keysAt + (long) i * Long.BYTES) == hash
                    && RawMemory.equal(memory, row(i) + key.offset(), keys, at, width)) {
                return row(i);
            }
        }
        return rowsAt;
    }

    /**
     * Returns the row of a key given as text, or {@link #absentRow()}. Allocates.
     *
     * @throws FieldValueException if the text is not a valid value of the key's field
     */
    public long find(String text) {
        byte[] row = new byte[rowLength];
        RecordCodec.of(schema).codec(key.name()).setText(row, 0, text);
        return key.type() instanceof FieldType.Numbered numbered
                ? find(RawBytes.get(row, key.offset(), numbered.storage()))
                : find(row, key.offset());
    }

    /** Visits rows until the predicate returns false; see {@link Table#forEach}. */
    void forEach(Predicate<byte[]> more) {
        byte[] row = new byte[rowLength];
        long end = direct ? slots : rows();
        boolean wantsMore = true;
        for (long slot = 0; slot < end && wantsMore; slot++) {
            if (!direct || full || isTaken(slot)) {
                RawMemory.copy(memory, row(slot), row, 0, rowLength);
                wantsMore = more.test(row);
            }
        }
    }

    private boolean isTaken(long slot) {
        return ((RawMemory.getLong(memory, indexAt + (slot >>> 6) * Long.BYTES) >>> slot) & 1) != 0;
    }

    private long row(long slot) {
        return rowsAt + (slot + 1) * rowLength;
    }

    /** Returns how many pieces of 1 MiB do not match their checksum. Reads the whole table. */
    public long damaged() {
        return header.damaged(memory);
    }
}
