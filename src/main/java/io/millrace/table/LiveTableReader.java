package io.millrace.table;

import io.millrace.memory.OffHeap;
import io.millrace.memory.RawMemory;
import io.millrace.table.cache.CacheReader;
import io.millrace.table.cache.OffHeapCache;
import java.lang.foreign.MemorySegment;

/**
 * Looks up rows of a live table. Each is copied as a whole, since its place may be taken by another before its fields
 * are read.
 */
final class LiveTableReader implements TableReader {

    private final LiveTable table;
    private final int rowLength;
    private final int keyWidth;
    private OffHeapCache seen;
    private CacheReader reader;
    private MemorySegment found;

    LiveTableReader(LiveTable table) {
        this.table = table;
        this.rowLength = table.schema().recordLength();
        this.keyWidth = table.key().type().bytes();
        this.seen = table.rows();
        this.reader = seen.reader();
        this.found = room(0);
    }

    /** Room for the absent row and so many others. */
    private MemorySegment room(int count) {
        MemorySegment room = OffHeap.allocate((count + 1L) * rowLength);
        RawMemory.copy(RowSchemas.absentRow(table.schema()), 0, room, 0, rowLength);
        return room;
    }

    private void prepare(int count) {
        if (found.byteSize() < (count + 1L) * rowLength) {
            found = room(count);
        }
        OffHeapCache current = table.rows();
        if (current != seen) {
            seen = current;
            reader = current.reader();
        }
    }

    @Override
    public int find(long[] keys, int count, long[] rows) {
        prepare(count);
        int missed = 0;
        for (int i = 0; i < count; i++) {
            long at = (i + 1L) * rowLength;
            boolean there;
            do {
                there = reader.find(keys[i]);
                if (there) {
                    reader.copy(0, found, at, rowLength);
                }
            } while (there && !reader.isIntact());
            rows[i] = there ? at : absentRow();
            missed += there ? 0 : 1;
        }
        return missed;
    }

    @Override
    public int find(byte[] keys, int count, long[] rows) {
        prepare(count);
        int missed = 0;
        for (int i = 0, keyAt = 0; i < count; i++, keyAt += keyWidth + 1) {
            long at = (i + 1L) * rowLength;
            boolean there;
            do {
                there = keys[keyAt + keyWidth] == 0 && reader.find(keys, keyAt, keyWidth);
                if (there) {
                    reader.copy(0, found, at, rowLength);
                }
            } while (there && !reader.isIntact());
            rows[i] = there ? at : absentRow();
            missed += there ? 0 : 1;
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
