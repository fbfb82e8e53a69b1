package io.millrace.store.region;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import java.util.OptionalInt;

/**
 * The stored form of records that vary in length: the added fields come first, because only these have a fixed length,
 * and the record's own bytes follow.
 *
 * @param commonLength bytes of the added fields
 */
public record VariedForm(int commonLength) implements StoredForm {

    @Override
    public byte[] copy(RecordBatch batch, int ordinal) {
        int length = batch.length(ordinal);
        byte[] value = new byte[commonLength + length];
        int added = batch.addedOffset(ordinal) + batch.schema().foundLength();
        System.arraycopy(batch.added(), added, value, 0, commonLength);
        RawBytes.copy(batch.bytes(), batch.offset(ordinal), value, commonLength, length);
        return value;
    }

    @Override
    public int prefixLength() {
        return commonLength;
    }

    @Override
    public OptionalInt length() {
        return OptionalInt.empty();
    }

    @Override
    public boolean allowsColumns() {
        return false;
    }

    @Override
    public long fullBlockBytes(int blockRecords) {
        return RegionDefinition.MAX_VARIED_BLOCK_BYTES;
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
