package io.millrace.store.scan;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.block.ColumnLayout;
import io.millrace.store.block.ColumnLayout.Column;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Stored records of the fixed layout, in rows or columns. Tests are evaluated on the columns of a block of columns; the
 * batch then contains rows of the records that passed, in which only the fields that are read are set.
 */
final class ColumnBatch implements StoredBatch {

    private final ColumnLayout layout;
    private final RowBatch rows;
    private final RecordBatch batch;
    private final ColumnSelection selection;
    private final int recordLength;
    private final int[] allColumns;
    private final int[] readColumns;
    private final int[] restColumns;
    private byte[] gathered = new byte[0];
    /** Ordinals of records to copy. */
    private int[] picked = new int[0];

    private boolean inColumns;

    ColumnBatch(Schema schema, ColumnLayout layout, EncodedQuery query) {
        this.layout = layout;
        rows = new RowBatch(schema);
        batch = rows.batch();
        selection = new ColumnSelection(layout, query);
        recordLength = schema.recordLength();
        allColumns = IntStream.range(0, layout.columns().size()).toArray();
        readColumns = indexes(layout, query.reads());
        restColumns = indexes(layout, query.restReads());
    }

    private static int[] indexes(ColumnLayout layout, Set<String> fields) {
        return fields.stream()
                .flatMapToInt(layout::indexesOf)
                .sorted()
                .distinct()
                .toArray();
    }

    @Override
    public RecordBatch batch() {
        return batch;
    }

    @Override
    public boolean tested() {
        return inColumns && selection.tested();
    }

    @Override
    public boolean show(Block block, RejectSink unreadable) {
        inColumns = block.encoding() == BlockFormat.COLUMNS;
        if (!inColumns) {
            return rows.show(block, unreadable);
        }
        if (!selection.select(block)) {
            return false;
        }
        int recordCount = selection.count();
        if (gathered.length < recordCount * recordLength) {
            gathered = new byte[Math.max(recordCount * recordLength, 2 * gathered.length)];
        }
        for (int index : selection.tested() ? restColumns : readColumns) {
            selection.write(index, gathered, column(index).at(), recordLength);
        }
        batch.fill(gathered, 0, recordCount, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        return true;
    }

    private Column column(int index) {
        return layout.columns().get(index);
    }

    @Override
    public void show(byte[][] entries, int count, RejectSink unreadable) {
        inColumns = false;
        rows.show(entries, count, unreadable);
    }

    @Override
    public boolean keys(String field, long[] into) {
        return inColumns && selection.keys(field, batch, into);
    }

    @Override
    public byte[] copy(int index) {
        if (!inColumns) {
            return rows.copy(index);
        }
        byte[] record = new byte[recordLength];
        int[] one = {selection.ordinals()[batch.selection()[index]]};
        for (int column : allColumns) {
            selection.columns().write(column, one, 1, record);
        }
        return record;
    }

    /** Assembles records of a block of columns one column after the other. */
    @Override
    public void copy(int count, PackedRecords.Builder into) {
        if (!inColumns || count == 0) {
            rows.copy(count, into);
            return;
        }
        if (picked.length < count) {
            picked = new int[Math.max(count, 2 * picked.length)];
        }
        for (int i = 0; i < count; i++) {
            picked[i] = selection.ordinals()[batch.selection()[i]];
        }
        int at = into.reserve(count, recordLength);
        for (int index : allColumns) {
            selection
                    .columns()
                    .write(
                            index,
                            picked,
                            count,
                            into.bytes(),
                            at + column(index).at(),
                            recordLength);
        }
    }

    /** Assembles a record of a block of columns only if it is retained. */
    @Override
    public void offer(TopRecords top, long[][] keys, int index) {
        if (!inColumns) {
            rows.offer(top, keys, index);
        } else if (top.keeps(keys, index)) {
            top.offer(keys, index, copy(index), 0);
        }
    }
}
