package io.millrace.codec;

import io.millrace.schema.Schema;

/**
 * Cuts bytes into records of the fixed layout, each {@link Schema#baseLength()} long. Stateless; allocates nothing.
 *
 * @param recordLength in bytes
 */
public record FixedFramer(int recordLength) {

    public FixedFramer {
        if (recordLength < 1) {
            throw new IllegalArgumentException("recordLength=" + recordLength + " is not positive");
        }
    }

    /** The framer of a schema's records as their feed has them. */
    public static FixedFramer of(Schema schema) {
        return new FixedFramer(schema.baseLength());
    }

    /** How many whole records so many bytes are. */
    public int records(int byteCount) {
        return byteCount / recordLength;
    }

    /** How many bytes are left over behind the last whole record. */
    public int leftOver(int byteCount) {
        return byteCount % recordLength;
    }

    /**
     * Makes a batch show the whole records of a region.
     *
     * @param from first byte of the region
     * @param to byte past the region
     * @param position of the first byte in its feed, or {@link RecordBatch#NO_POSITION}
     * @return how many bytes at the region's end are left over
     */
    public int frame(RecordBatch batch, byte[] bytes, int from, int to, long position) {
        int count = records(to - from);
        long past = position == RecordBatch.NO_POSITION ? position : position + (long) count * recordLength;
        batch.fill(bytes, from, count, position, past);
        return leftOver(to - from);
    }
}
