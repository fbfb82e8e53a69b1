package io.millrace.store.region;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * The stored form of records that vary in length: the added fields come first, because only these have a fixed length,
 * and the record's own bytes follow.
 *
 * @param commonLength bytes of the added fields
 */
public record VariedForm(int commonLength) implements StoredForm {

    @Override
    public byte[] copy(RecordBatch batch, int ordinal, int zeros) {
        int length = batch.length(ordinal);
        byte[] value = new byte[commonLength + length + zeros];
        int added = batch.addedOffset(ordinal) + batch.schema().foundLength();
        System.arraycopy(batch.added(), added, value, 0, commonLength);
        RawBytes.copy(batch.bytes(), batch.offset(ordinal), value, commonLength, length);
        return value;
    }

    @Override
    public boolean same(RecordBatch batch, int ordinal, RecordBatch other, int otherOrdinal) {
        int added = batch.addedOffset(ordinal) + batch.schema().foundLength();
        int otherAdded = other.addedOffset(otherOrdinal) + other.schema().foundLength();
        return FixedForm.sameBytes(batch, ordinal, other, otherOrdinal)
                && Arrays.equals(
                        batch.added(),
                        added,
                        added + commonLength,
                        other.added(),
                        otherAdded,
                        otherAdded + commonLength);
    }

    @Override
    public int prefixLength() {
        return commonLength;
    }

    @Override
    public OptionalInt length() {
        return OptionalInt.empty();
    }

    /** Longer values are mostly texts that differ from record to record, which columns would only repeat. */
    @Override
    public boolean hasColumn(Field field) {
        return field.type().bytes() <= Long.BYTES;
    }

    @Override
    public long fullBlockBytes(Schema stored, int blockRecords, BlockEncoding encoding) {
        long columns = encoding == BlockEncoding.COLUMNS ? (long) blockRecords * columnBytes(stored) : 0;
        return RegionDefinition.MAX_VARIED_BLOCK_BYTES + Math.min(columns, RegionDefinition.MAX_COLUMN_BYTES);
    }

    /** Returns the maximum number of bytes of columns for each record that they are next to. */
    private int columnBytes(Schema stored) {
        return stored.fields().stream()
                .filter(this::hasColumn)
                .mapToInt(field -> field.end() - field.offset())
                .sum();
    }

    @Override
    public boolean canStore(Schema records) {
        return records.layout().variesInLength() && commonLength <= records.recordLength() - records.foundLength();
    }

    @Override
    public Schema rows(Schema stored, Schema records) {
        return records;
    }

    @Override
    public byte[] row(RecordBatch batch, byte[] value) {
        return batch.added();
    }

    @Override
    public int rowAt(RecordBatch batch, int ordinal) {
        return batch.addedOffset(ordinal);
    }
}
