package io.millrace.store.region;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * The stored form of records that all have the same length: the record followed by its added fields.
 *
 * @param commonLength bytes of both
 */
public record FixedForm(int commonLength) implements StoredForm {

    @Override
    public byte[] copy(RecordBatch batch, int ordinal, int zeros) {
        byte[] value = new byte[commonLength + zeros];
        batch.copyRecord(ordinal, value, 0, commonLength);
        return value;
    }

    @Override
    public boolean same(RecordBatch batch, int ordinal, RecordBatch other, int otherOrdinal) {
        int base = batch.length(ordinal);
        int added = batch.addedOffset(ordinal);
        int otherAdded = other.addedOffset(otherOrdinal);
        return sameBytes(batch, ordinal, other, otherOrdinal)
                && Arrays.equals(
                        batch.added(),
                        added,
                        added + commonLength - base,
                        other.added(),
                        otherAdded,
                        otherAdded + commonLength - base);
    }

    /** Returns whether two records are equal as the feed delivered them. */
    static boolean sameBytes(RecordBatch batch, int ordinal, RecordBatch other, int otherOrdinal) {
        int at = batch.offset(ordinal);
        int otherAt = other.offset(otherOrdinal);
        return Arrays.equals(
                batch.bytes(),
                at,
                at + batch.length(ordinal),
                other.bytes(),
                otherAt,
                otherAt + other.length(otherOrdinal));
    }

    @Override
    public int prefixLength() {
        return 0;
    }

    @Override
    public OptionalInt length() {
        return OptionalInt.of(commonLength);
    }

    @Override
    public boolean hasColumn(Field field) {
        return true;
    }

    @Override
    public long fullBlockBytes(Schema stored, int blockRecords, BlockEncoding encoding) {
        return blockRecords * (long) commonLength;
    }

    @Override
    public boolean canStore(Schema records) {
        return !records.layout().variesInLength()
                && commonLength >= records.baseLength()
                && commonLength <= records.recordLength();
    }

    @Override
    public Schema rows(Schema stored, Schema records) {
        return stored;
    }

    @Override
    public byte[] row(RecordBatch batch, byte[] value) {
        return value;
    }

    @Override
    public int rowAt(RecordBatch batch, int ordinal) {
        return 0;
    }
}
