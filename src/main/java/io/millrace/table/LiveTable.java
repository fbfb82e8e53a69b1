package io.millrace.table;

import io.millrace.codec.Counter;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordCodec;
import io.millrace.hash.SeededHash;
import io.millrace.memory.RawMemory;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.table.cache.CacheOptions;
import io.millrace.table.cache.Eviction;
import io.millrace.table.cache.OffHeapCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A table whose rows are put and removed while it is read, such as the contents of a region. The rows are in memory
 * outside the heap. The memory grows as needed; no row is evicted. Thread-safe: writers exclude each other, readers
 * never wait.
 */
public final class LiveTable implements Table {

    private static final long FIRST_BYTES = 1 << 20;
    /** The memory is not enlarged while rows use less than one part in this many of it. */
    private static final int SPARSE = 4;

    private final String name;
    private final Schema schema;
    private final Field key;
    private final String source;
    private final FieldCodec keyCodec;
    private final byte[] row;
    private final int entryBytes;
    private final Supplier<SeededHash> hashes;
    private volatile OffHeapCache rows;
    private long bytes = FIRST_BYTES;
    private volatile Instant since = Instant.now();
    private final Counter changes = new Counter();

    /**
     * Creates an empty table.
     *
     * @param schema of the rows
     * @param key the field by which rows are found
     * @param source where the rows come from, for display
     * @throws IllegalArgumentException if the field can't be a key, or rows are longer than a table can store
     */
    public LiveTable(String name, Schema schema, String key, String source) {
        this(name, schema, key, source, SeededHash::random);
    }

    /** @param hashes supplies the hash for each memory area that rows are moved to */
    LiveTable(String name, Schema schema, String key, String source, Supplier<SeededHash> hashes) {
        this.name = name;
        this.schema = RowSchemas.ofRecords(schema);
        this.key = TableBuilder.key(this.schema, key);
        this.keyCodec = RecordCodec.of(this.schema).codec(key);
        this.source = source;
        this.row = new byte[schema.recordLength()];
        this.entryBytes = row.length + (hasTextKeys() ? this.key.type().bytes() : 0) + CacheOptions.ENTRY_OVERHEAD_MAX;
        this.hashes = hashes;
        if (entryBytes > CacheOptions.ENTRY_BYTES_MAX) {
            throw new IllegalArgumentException("Invalid schema '" + schema + "' for a table of a region: its rows take "
                    + entryBytes + " bytes each, " + CacheOptions.ENTRY_BYTES_MAX + " is the most.");
        }
        this.rows = empty(bytes);
    }

    private OffHeapCache empty(long capacityBytes) {
        try {
            return OffHeapCache.open(CacheOptions.inMemory(capacityBytes, row.length, Eviction.NONE), hashes.get());
        } catch (IOException e) {
            throw new UncheckedIOException("The memory of a table can't be allocated: " + e.getMessage(), e);
        }
    }

    /** Puts a row, which replaces one with the same key. The row is the array's first bytes, which are copied. */
    public synchronized void put(byte[] newRow) {
        System.arraycopy(newRow, 0, row, 0, row.length);
        for (boolean retried = false; !putInto(rows); retried = true) {
            grow(retried);
        }
        changed();
    }

    private void changed() {
        since = Instant.now();
        changes.add(1);
    }

    private boolean putInto(OffHeapCache target) {
        return hasTextKeys()
                ? target.put(row, key.offset(), key.type().bytes(), row, 0, row.length)
                : target.put(number(), row, 0, row.length);
    }

    private long number() {
        return RawBytes.get(row, key.offset(), ((FieldType.Numbered) key.type()).storage());
    }

    /**
     * Moves all rows to new memory with another hash seed. The new memory is larger, unless few rows remain: then the
     * old memory was full of removed rows, or keys collided, as they would in larger memory too.
     *
     * @param retried whether rows were already moved to put the current row
     */
    private void grow(boolean retried) {
        boolean sparse = !retried && rows.statistics().entries() * entryBytes < bytes / SPARSE;
        byte[] waiting = row.clone();
        OffHeapCache larger;
        do {
            bytes = sparse ? bytes : bytes * 2;
            sparse = false;
            larger = empty(bytes);
        } while (!copyTo(larger));
        System.arraycopy(waiting, 0, row, 0, row.length);
        rows = larger;
    }

    private boolean copyTo(OffHeapCache larger) {
        boolean[] all = {true};
        rows.forEach((memory, at, length) -> {
            RawMemory.copy(memory, at, row, 0, length);
            all[0] &= putInto(larger);
        });
        return all[0];
    }

    /**
     * Removes the row of a key.
     *
     * @param value decoded value of the key's field
     */
    public synchronized void remove(Object value) {
        keyCodec.setValue(row, 0, value);
        if (hasTextKeys()) {
            rows.remove(row, key.offset(), key.type().bytes());
        } else {
            rows.remove(number());
        }
        changed();
    }

    /** Returns the current rows. Another cache takes their place when the table has grown. */
    OffHeapCache rows() {
        return rows;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public Field key() {
        return key;
    }

    @Override
    public TableReader reader() {
        return new LiveTableReader(schema, key, this::rows);
    }

    @Override
    public void forEach(Predicate<byte[]> more) {
        byte[] copy = new byte[row.length];
        boolean[] wantsMore = {true};
        rows.forEach((memory, at, length) -> {
            if (wantsMore[0]) {
                RawMemory.copy(memory, at, copy, 0, length);
                wantsMore[0] = more.test(copy);
            }
        });
    }

    @Override
    public TableStatus status() {
        OffHeapCache current = rows;
        return new TableStatus(
                name,
                "live",
                current.statistics().entries(),
                current.bytes(),
                schema.toString(),
                key.name(),
                source,
                since,
                changes.get(),
                0,
                null,
                null);
    }
}
