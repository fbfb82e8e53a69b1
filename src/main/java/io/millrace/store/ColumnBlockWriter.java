package io.millrace.store;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Builds blocks of columns: rows are gathered first, and turned when the block is sealed, since only then it is known
 * what their columns hold. A block that would not become shorter stays rows.
 */
final class ColumnBlockWriter implements BlockWriter {

    private final RowBlockWriter rows;
    private final BlockHeader header;
    private final ColumnEncoder encoder;
    private final int recordLength;
    private final @Nullable FieldRange keys;
    private final @Nullable FieldRange times;
    private boolean handedOver;

    /**
     * @param schema of the stored records
     * @param keyField whose range the header shall tell, if its bytes are a number
     * @param capacity records of a full block, 1 or more
     */
    ColumnBlockWriter(Schema schema, @Nullable Field keyField, int capacity) {
        rows = new RowBlockWriter(schema, keyField, capacity);
        header = new BlockHeader(schema, Block.COLUMNS);
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
        long length = count() == 0 ? Long.MAX_VALUE : encoder.plan(records, Block.HEADER_LENGTH, count());
        handedOver = length >= rows.sealedLength();
        if (handedOver) {
            return rows.seal(from, to);
        }
        byte[] block = new byte[(int) length];
        encoder.write(records, Block.HEADER_LENGTH, block);
        measure(keys, records);
        measure(times, records);
        header.write(block, encoder.directoryLength(), from, to, count(), keys, times);
        return block;
    }

    private void measure(@Nullable FieldRange range, byte[] records) {
        if (range != null && !encoder.tellsRange(range)) {
            range.measure(records, Block.HEADER_LENGTH, count(), recordLength);
        }
    }

    @Override
    public void clear() {
        if (handedOver) {
            rows.clear();
        } else {
            rows.restart();
        }
    }
}
