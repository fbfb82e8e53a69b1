package io.millrace.codec;

import io.millrace.schema.Schema;
import org.apiguardian.api.API;

/**
 * Splits bytes into records of the fixed layout, each {@link Schema#baseLength()} long. Stateless; allocates nothing.
 *
 * @param recordLength length of a record in bytes
 */
@API(status = API.Status.STABLE)
public record FixedFramer(int recordLength) {

    public FixedFramer {
        if (recordLength < 1) {
            throw new IllegalArgumentException("Invalid record length '" + recordLength + "'. Use 1 or more.");
        }
    }

    /** Returns the framer for records of a schema as the feed delivers them. */
    public static FixedFramer of(Schema schema) {
        return new FixedFramer(schema.baseLength());
    }

    /** Returns the number of complete records in so many bytes. */
    public int records(int byteCount) {
        return byteCount / recordLength;
    }

    /** Returns the number of bytes after the last complete record. */
    public int leftOver(int byteCount) {
        return byteCount % recordLength;
    }

    /**
     * Fills a batch with the complete records of a range of bytes.
     *
     * @param start offset of the first byte
     * @param end offset past the last byte
     * @param position feed position of the first byte, or {@link RecordBatch#NO_POSITION}
     * @return number of bytes after the last complete record
     */
    public int frame(RecordBatch batch, byte[] bytes, int start, int end, long position) {
        int count = records(end - start);
        long endPosition = position == RecordBatch.NO_POSITION ? position : position + (long) count * recordLength;
        batch.fill(bytes, start, count, position, endPosition);
        return leftOver(end - start);
    }
}
