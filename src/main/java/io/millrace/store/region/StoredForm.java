package io.millrace.store.region;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.OptionalInt;

/**
 * How a region stores the records of a schema, as entries and in blocks. It depends only on whether records vary in
 * length. {@link io.millrace.store.query.StoredRecords} reads the bytes. Immutable.
 */
public sealed interface StoredForm permits FixedForm, VariedForm {

    /** Returns a copy of a record in this form; allocates it. */
    default byte[] copy(RecordBatch batch, int ordinal) {
        return copy(batch, ordinal, 0);
    }

    /** Returns a copy of a record in this form, followed by this number of bytes of zeros; allocates it. */
    byte[] copy(RecordBatch batch, int ordinal, int zeros);

    /**
     * Returns whether the {@linkplain #copy copies} of two records are equal, without copying them.
     *
     * @param other batch of the other record, of the same or another schema with the same stored fields
     */
    boolean same(RecordBatch batch, int ordinal, RecordBatch other, int otherOrdinal);

    /** Returns the number of bytes of added fields that precede the record in a value. */
    int prefixLength();

    /**
     * Returns the number of bytes that every record of a block has, whatever its length: all of a row, or the fields
     * added to a record.
     */
    int commonLength();

    /** Returns the length in bytes of a record, with its added fields, if all records have the same length. */
    OptionalInt length();

    /** Returns whether a block of columns has a column that contains a field. */
    boolean hasColumn(Field field);

    /**
     * Returns the maximum number of bytes that the records of a full block take.
     *
     * @param stored schema of the region's records
     */
    long fullBlockBytes(Schema stored, int blockRecords, BlockEncoding encoding);

    /** Returns whether a region of this form can store the records of batches of a schema. */
    boolean canStore(Schema records);

    /**
     * Returns the schema of the rows that contain the fields of a record that is about to be stored.
     *
     * @param stored schema of the region's records
     * @param records schema of the batches
     */
    Schema rows(Schema stored, Schema records);

    /**
     * Returns the array that contains the row of a record.
     *
     * @param value copy of the record in this form
     */
    byte[] row(RecordBatch batch, byte[] value);

    /** Returns the offset of the row in the array. */
    int rowAt(RecordBatch batch, int ordinal);
}
