package io.millrace.codec.frame;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import org.apiguardian.api.API;

/**
 * Frames records of one length, such as those of the fixed layout, back to back: a frame is a record. Stateless.
 *
 * @param recordLength length of a record in bytes
 */
@API(status = API.Status.STABLE)
public record FixedFramer(int recordLength) implements Framer {

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

    @Override
    public long frameLength(byte[] bytes, int start, int end, int searched) {
        return recordLength;
    }

    @Override
    public int head() {
        return 0;
    }

    @Override
    public int tail() {
        return 0;
    }

    @Override
    public String describeCut(byte[] bytes, int have) {
        return "after " + have + " of the record's " + recordLength + " bytes";
    }
}
