package io.millrace.store.block;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Builds blocks of columns. Rows are collected first, and converted to columns when the block is sealed, because only
 * then the values of the columns are known. A block that would not become shorter is stored as rows.
 */
final class ColumnBlockWriter implements BlockWriter {

    private final RowBlockWriter rows;
    private final BlockHeader header;
    private final ColumnEncoder encoder;
    private final int recordLength;
    private final @Nullable FieldRange keys;
    private final @Nullable FieldRange times;
    private boolean sealedAsRows;

    /**
     * @param schema of the stored records
     * @param keyField whose range the header contains, if its bytes are a number
     * @param capacity records of a full block, 1 or more
     */
    ColumnBlockWriter(Schema schema, @Nullable Field keyField, int capacity) {
        rows = new RowBlockWriter(schema, keyField, capacity);
        header = new BlockHeader(schema, BlockFormat.COLUMNS);
        recordLength = schema.recordLength();
        keys = FieldRange.of(keyField);
        times = FieldRange.of(FieldRange.timeField(schema));
        encoder = new ColumnEncoder(ColumnLayout.of(schema));
    }

    @Override
    public int count() {
        return rows.count();
    }

    @Override
    public boolean full() {
        return rows.full();
    }

    @Override
    public int append(RecordBatch batch, int firstIndex) {
        return rows.append(batch, firstIndex);
    }

    @Override
    public byte[] seal(long from, long to) {
        byte[] records = rows.rows();
        long length = count() == 0 ? Long.MAX_VALUE : encoder.plan(records, BlockFormat.HEADER_LENGTH, count());
        sealedAsRows = length >= rows.sealedLength();
        if (sealedAsRows) {
            return rows.seal(from, to);
        }
        byte[] block = new byte[(int) length];
        encoder.write(records, BlockFormat.HEADER_LENGTH, block);
        measure(keys, records);
        measure(times, records);
        header.write(block, encoder.directoryLength(), 0, from, to, count(), keys, times);
        return block;
    }

    private void measure(@Nullable FieldRange range, byte[] records) {
        if (range != null && !encoder.setRange(range)) {
            range.measure(records, BlockFormat.HEADER_LENGTH, count(), recordLength);
        }
    }

    @Override
    public void clear() {
        if (sealedAsRows) {
            rows.clear();
        } else {
            rows.restart();
        }
    }
}
