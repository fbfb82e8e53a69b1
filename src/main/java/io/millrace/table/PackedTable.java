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
 * Rows outside the heap that are found by their key: in memory, or in a mapped file, of which opening reads no more
 * than its header. Immutable, so safe for use by many threads; finding a row allocates nothing.
 *
 * <p>A row is named by the offset of its first byte in {@link #memory()}. Where keys are numbers that lie close
 * together each has a slot of its own, and finding it costs the look at one bit. Otherwise rows lie in buckets of four
 * on average, sorted by the bucket's number, which the key's hash gives; an index has where each bucket begins, and the
 * keys of a bucket lie together, so that a look-up touches one line of memory of the index, one or two of keys, and the
 * row.
 */
public final class PackedTable {

    private static final int ROWS_PER_BUCKET = 4;

    private final MemorySegment memory;
    private final TableHeader header;
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

    /** How many buckets so many rows are given. */
    static long bucketsFor(long rows) {
        return Math.max(1, rows / ROWS_PER_BUCKET);
    }

    /** The bucket of a hash: proportional to it, so that rows sorted by bucket are sorted by their first bits. */
    static long bucket(long hash, long buckets) {
        return Math.unsignedMultiplyHigh(hash, buckets);
    }

    /** The table that lies in memory, complete. */
    static PackedTable of(MemorySegment memory, TableHeader header) {
        return new PackedTable(memory, header);
    }

    /**
     * The table that a file holds. Reads its header and none of its rows.
     *
     * @param name for messages
     * @throws TableException where the file holds no table, or not a whole one
     */
    public static PackedTable open(String name, Path file) throws IOException {
        MemorySegment memory = OffHeap.open(file);
        TableHeader header = TableHeader.read(memory, name, file.toString());
        PackedTable table;
        try {
            table = new PackedTable(memory, header);
        } catch (RuntimeException e) {
            throw new TableException(name, file.toString(), List.of("its schema can't be read: " + e.getMessage()));
        }
        if (table.schema.fingerprint() != header.fingerprint()) {
            throw new TableException(
                    name, file.toString(), List.of("its schema does not have the fingerprint that its header tells"));
        }
        return table;
    }

    /** Schema of the rows. A field that it requires has a value in every row. */
    public Schema schema() {
        return schema;
    }

    /** The field that rows are found by. */
    public Field key() {
        return key;
    }

    /** How many rows there are, the absent one not counted. */
    public long rows() {
        return header.rows();
    }

    /** Bytes that the whole takes. */
    public long bytes() {
        return memory.byteSize();
    }

    /** How rows are found: {@code direct} or {@code hashed}. */
    public String form() {
        return header.form().tag();
    }

    /** What its source looked like when it was built. */
    long stamp() {
        return header.stamp();
    }

    /** Where the rows lie. */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * The row that stands for a key that the table does not hold. Fields that can be absent are; the bytes of the
     * others mean nothing.
     */
    public long absentRow() {
        return rowsAt;
    }

    /** The row of a number or code, or {@link #absentRow()}. */
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
     * The row of a text, or {@link #absentRow()}.
     *
     * @param keys holds the text at {@code at}, as wide as the key's field and padded as that is
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
     * The row of a key given as text, or {@link #absentRow()}. Allocates.
     *
     * @throws FieldValueException where the text is no value of the key's field
     */
    public long find(String text) {
        byte[] row = new byte[rowLength];
        RecordCodec.of(schema).codec(key.name()).setText(row, 0, text);
        return key.type() instanceof FieldType.Numbered numbered
                ? find(RawBytes.get(row, key.offset(), numbered.storage()))
                : find(row, key.offset());
    }

    /** Shows rows until somebody has seen enough; see {@link Table#forEach}. */
    void forEach(Predicate<byte[]> more) {
        byte[] row = new byte[rowLength];
        long end = direct ? slots : rows();
        boolean wanted = true;
        for (long slot = 0; slot < end && wanted; slot++) {
            if (!direct || full || isTaken(slot)) {
                RawMemory.copy(memory, row(slot), row, 0, rowLength);
                wanted = more.test(row);
            }
        }
    }

    private boolean isTaken(long slot) {
        return ((RawMemory.getLong(memory, indexAt + (slot >>> 6) * Long.BYTES) >>> slot) & 1) != 0;
    }

    private long row(long slot) {
        return rowsAt + (slot + 1) * rowLength;
    }

    /** How many stretches of a mebibyte do not hold what was written. Reads the whole table. */
    public long damaged() {
        return header.damaged(memory);
    }
}
