package io.millrace.codec.record;

import io.millrace.codec.Admission;
import io.millrace.codec.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of one schema, in the layout of their bytes. {@code io.millrace.codec.layout.LayoutCodecs} returns
 * it; users look it up once, before the first record. Not thread-safe.
 */
public interface LayoutCodec {

    /** Returns a check of records that enter a pipeline. */
    Admission admission();

    /**
     * Returns what reads the fields of records that were admitted before. If records vary in length, it writes their
     * rows, and rejects records that it can't read; otherwise it does nothing.
     */
    Admission finder();

    /**
     * Returns a {@linkplain #finder finder} that may defer the elements of parts that repeat until
     * {@link io.millrace.codec.BatchElements#find} is called: for records of which expressions select few before they
     * read elements.
     */
    default Admission deferringFinder() {
        return finder();
    }

    /** Returns what locates the fields of records for display. */
    FieldLocator locator();

    /**
     * Returns a reader of a part that contains others: a map of values by name, a list of such maps or of values, or
     * null if the part is missing. It reads records that the {@linkplain #finder finder} has read.
     *
     * @param name name of a {@linkplain io.millrace.schema.RecordLayout#isPart part}
     */
    default PartReader part(String name) {
        throw new IllegalArgumentException("Unknown part '" + name + "'. Records of this layout have no parts.");
    }

    /** Reads a part of a record. */
    @FunctionalInterface
    interface PartReader {

        /** Returns the part of a record in a batch. Allocates it. */
        @Nullable
        Object read(RecordBatch batch, int ordinal);
    }

    /**
     * Fills a batch with the complete records of a message, which may be changed.
     *
     * @return number of bytes after the last complete record
     */
    int frame(RecordBatch batch, byte[] message);

    /**
     * Fills a batch with one record, whose fields the {@linkplain #finder finder} then reads.
     *
     * @param start offset of the record
     * @param end offset past the record; not used if all records have the same length
     */
    void show(RecordBatch batch, byte[] bytes, int start, int end);
}
