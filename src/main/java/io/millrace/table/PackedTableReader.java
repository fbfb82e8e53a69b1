package io.millrace.table;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Looks up rows in place: none is copied. Each lookup uses one table, the one that is served when the lookup begins.
 */
final class PackedTableReader implements TableReader {

    private final Supplier<PackedTable> served;
    private PackedTable table;

    PackedTableReader(Supplier<PackedTable> served) {
        this.served = served;
        this.table = served.get();
    }

    @Override
    public int find(long[] keys, int count, long[] rows) {
        PackedTable current = served.get();
        table = current;
        long absent = current.absentRow();
        int missed = 0;
        for (int i = 0; i < count; i++) {
            long row = current.find(keys[i]);
            rows[i] = row;
            missed += row == absent ? 1 : 0;
        }
        return missed;
    }

    @Override
    public int find(byte[] keys, int count, long[] rows) {
        PackedTable current = served.get();
        table = current;
        long absent = current.absentRow();
        int width = current.key().type().bytes();
        int missed = 0;
        for (int i = 0, at = 0; i < count; i++, at += width + 1) {
            long row = keys[at + width] == 0 ? current.find(keys, at) : absent;
            rows[i] = row;
            missed += row == absent ? 1 : 0;
        }
        return missed;
    }

    @Override
    public MemorySegment memory() {
        return table.memory();
    }

    @Override
    public long absentRow() {
        return table.absentRow();
    }
}
