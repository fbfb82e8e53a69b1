package io.millrace.feed.tcp;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Piece;
import io.millrace.schema.Schema;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The one array that the records of all connections are gathered in, back to back, and the pieces that are no records.
 * Used again for each batch; not thread-safe; allocates only for pieces.
 */
final class BatchBuffer {

    /** Bytes that a batch of records of varying length grows to. */
    private static final int VARYING_BYTES = 256 * 1024;

    private final int recordLength;
    private final int mostRecords;
    private final byte[] bytes;
    private final int[] bounds;
    private final Queue<Piece> pieces = new ArrayDeque<>();
    private int count;
    private int end;
    private boolean crowded;

    /**
     * @param schema of the records, all of one length, or of varying length where its base length is 0
     * @param mostRecords that a batch holds, pieces counted too
     * @param longestFrame in bytes
     */
    BatchBuffer(Schema schema, int mostRecords, int longestFrame) {
        this.recordLength = schema.baseLength();
        this.mostRecords = mostRecords;
        int records = recordLength == 0 ? VARYING_BYTES : Math.multiplyExact(mostRecords, recordLength);
        this.bytes = new byte[Math.addExact(records, longestFrame)];
        this.bounds = new int[recordLength == 0 ? mostRecords + 1 : 0];
    }

    /** Begins the next batch. */
    void clear() {
        count = 0;
        end = 0;
        crowded = false;
    }

    /** Length that each record must have, or 0 where they vary. */
    int recordLength() {
        return recordLength;
    }

    /** Records so far. */
    int count() {
        return count;
    }

    /** The array; from {@link #end()} on it is free. */
    byte[] bytes() {
        return bytes;
    }

    /** Past the last record. */
    int end() {
        return end;
    }

    /** Bytes that are free. */
    int room() {
        return bytes.length - end;
    }

    /** How many records or pieces it takes still. */
    int vacant() {
        return mostRecords - count - pieces.size();
    }

    /** Whether the batch is to go on its way as it is. */
    boolean full() {
        return crowded || vacant() <= 0;
    }

    /** Says that somebody's next frame does not fit. */
    void crowd() {
        crowded = true;
    }

    /** Takes a record, from this array's free part or from another one. */
    void add(byte[] from, int at, int length) {
        System.arraycopy(from, at, bytes, end, length);
        end += length;
        count++;
        if (recordLength == 0) {
            bounds[count] = end;
        }
    }

    /** Takes so many records of the one length, as they lie. */
    void addAll(ByteBuf from, int records) {
        int length = records * recordLength;
        from.readBytes(bytes, end, length);
        end += length;
        count += records;
    }

    /** Takes bytes that are no record. */
    void reject(byte[] from, int at, int length, String detail) {
        pieces.add(new Piece(RecordBatch.NO_POSITION, Arrays.copyOfRange(from, at, at + length), detail));
    }

    /** The oldest piece, which is then no longer here. */
    @Nullable
    Piece takePiece() {
        return pieces.poll();
    }

    /** Makes a batch show the records. */
    void show(RecordBatch batch) {
        if (recordLength == 0) {
            batch.fill(bytes, bounds, count, RecordBatch.NO_POSITION);
        } else {
            batch.fill(bytes, 0, count, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        }
    }
}
