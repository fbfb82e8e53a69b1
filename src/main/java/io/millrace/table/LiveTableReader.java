package io.millrace.table;

import io.millrace.memory.OffHeap;
import io.millrace.memory.RawMemory;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.table.cache.CacheReader;
import io.millrace.table.cache.OffHeapCache;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/** Looks up rows of a live table. Copies each row, since a writer may overwrite it before its fields are read. */
final class LiveTableReader implements TableReader {

    private final Schema schema;
    private final Supplier<OffHeapCache> rows;
    private final int rowLength;
    private final int keyWidth;
    private OffHeapCache cache;
    private CacheReader reader;
    private MemorySegment found;

    /** @param rows returns the cache that contains the rows now */
    LiveTableReader(Schema schema, Field key, Supplier<OffHeapCache> rows) {
        this.schema = schema;
        this.rows = rows;
        this.rowLength = schema.recordLength();
        this.keyWidth = key.type().bytes();
        this.cache = rows.get();
        this.reader = cache.reader();
        this.found = allocated(0);
    }

    /** Allocates space for the absent row and a number of other rows. */
    private MemorySegment allocated(int count) {
        MemorySegment allocated = OffHeap.allocate((count + 1L) * rowLength);
        RawMemory.copy(RowSchemas.absentRow(schema), 0, allocated, 0, rowLength);
        return allocated;
    }

    private void prepare(int count) {
        if (found.byteSize() < (count + 1L) * rowLength) {
            found = allocated(count);
        }
        OffHeapCache current = rows.get();
        if (current != cache) {
            cache = current;
            reader = current.reader();
        }
    }

    @Override
    public int find(long[] keys, int count, long[] rows) {
        prepare(count);
        int missed = 0;
        for (int i = 0; i < count; i++) {
            long at = (i + 1L) * rowLength;
            boolean isPresent;
            do {
                isPresent = reader.find(keys[i]);
                if (isPresent) {
                    reader.copy(0, found, at, rowLength);
                }
            } while (isPresent && !reader.isIntact());
            rows[i] = isPresent ? at : absentRow();
            missed += isPresent ? 0 : 1;
        }
        return missed;
    }

    @Override
    public int find(byte[] keys, int count, long[] rows) {
        prepare(count);
        int missed = 0;
        for (int i = 0, keyAt = 0; i < count; i++, keyAt += keyWidth + 1) {
            long at = (i + 1L) * rowLength;
            boolean isPresent;
            do {
                isPresent = keys[keyAt + keyWidth] == 0 && reader.find(keys, keyAt, keyWidth);
                if (isPresent) {
                    reader.copy(0, found, at, rowLength);
                }
            } while (isPresent && !reader.isIntact());
            rows[i] = isPresent ? at : absentRow();
            missed += isPresent ? 0 : 1;
        }
        return missed;
    }

    @Override
    public MemorySegment memory() {
        return found;
    }

    @Override
    public long absentRow() {
        return 0;
    }
}
