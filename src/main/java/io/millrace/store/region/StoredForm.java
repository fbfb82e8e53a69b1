package io.millrace.store.region;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;

/**
 * The stored bytes of a record in an entries region. In the fixed layout, the record followed by its added fields; in
 * the tagged layout, the added fields come first, because only these have a fixed length, and the record's own bytes
 * follow. {@link io.millrace.store.query.StoredRecords} reads them. Immutable.
 */
public final class StoredForm {

    private final boolean tagged;
    private final int commonLength;

    private StoredForm(boolean tagged, int commonLength) {
        this.tagged = tagged;
        this.commonLength = commonLength;
    }

    /** Returns the stored form of records of a region's schema. */
    public static StoredForm of(Schema stored) {
        return new StoredForm(stored.tagged() != null, commonLength(stored));
    }

    /**
     * Returns the number of bytes that every stored record has, whatever its length: all of a record, or the fields
     * added to it.
     */
    public static int commonLength(Schema schema) {
        return schema.tagged() == null ? schema.recordLength() : schema.recordLength() - schema.foundLength();
    }

    /** Returns a copy of a record in this form; allocates it. */
    public byte[] copy(RecordBatch batch, int ordinal) {
        if (!tagged) {
            byte[] value = new byte[commonLength];
            batch.copyRecord(ordinal, value, 0, commonLength);
            return value;
        }
        int length = batch.length(ordinal);
        byte[] value = new byte[commonLength + length];
        int added = batch.addedOffset(ordinal) + batch.schema().foundLength();
        System.arraycopy(batch.added(), added, value, 0, commonLength);
        RawBytes.copy(batch.bytes(), batch.offset(ordinal), value, commonLength, length);
        return value;
    }
}
