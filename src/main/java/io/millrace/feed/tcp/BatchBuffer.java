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
 * A buffer that collects the records of all connections in one array, and the pieces that are not records. Records of
 * one length are back to back; others can have bytes of their frames between them. Reused for each batch. Not
 * thread-safe; allocates only for pieces.
 */
final class BatchBuffer {

    /** Size of a batch of variable-length records in bytes. */
    private static final int VARYING_BYTES = 256 * 1024;

    private final int recordLength;
    private final int maxRecords;
    private final byte[] bytes;
    private final int[] starts;
    private final int[] ends;
    private final Queue<Piece> pieces = new ArrayDeque<>();
    private int count;
    private int end;
    private boolean crowded;

    /**
     * @param schema of the records, whose base length is 0 if records have variable lengths
     * @param maxRecords maximum number of records and pieces per batch
     * @param longestFrame length of the longest frame in bytes
     */
    BatchBuffer(Schema schema, int maxRecords, int longestFrame) {
        this.recordLength = schema.baseLength();
        this.maxRecords = maxRecords;
        int recordBytes = recordLength == 0 ? VARYING_BYTES : Math.multiplyExact(maxRecords, recordLength);
        this.bytes = new byte[Math.addExact(recordBytes, longestFrame)];
        this.starts = new int[recordLength == 0 ? maxRecords : 0];
        this.ends = new int[starts.length];
    }

    /** Starts the next batch. */
    void clear() {
        count = 0;
        end = 0;
        crowded = false;
    }

    /** Returns the length of each record in bytes, or 0 if it varies. */
    int recordLength() {
        return recordLength;
    }

    /** Returns the number of records. */
    int count() {
        return count;
    }

    /** Returns the array, which is free from {@link #end()} on. */
    byte[] bytes() {
        return bytes;
    }

    /** Returns the offset after the last record. */
    int end() {
        return end;
    }

    /** Returns the number of free bytes. */
    int room() {
        return bytes.length - end;
    }

    /** Returns the number of further records or pieces that fit. */
    int vacant() {
        return maxRecords - count - pieces.size();
    }

    /** Returns whether the batch is complete. */
    boolean full() {
        return crowded || vacant() <= 0;
    }

    /** Marks the batch as full because the next frame of a connection does not fit. */
    void crowd() {
        crowded = true;
    }

    /** Adds a copy of a record. */
    void add(byte[] source, int offset, int length) {
        System.arraycopy(source, offset, bytes, end, length);
        added(end, length);
    }

    /** Adds a record that is in the free part of the array. It stays where it is, unless all have the same length. */
    void addFree(int offset, int length) {
        if (recordLength == 0) {
            added(offset, length);
        } else {
            add(bytes, offset, length);
        }
    }

    private void added(int start, int length) {
        end = start + length;
        if (recordLength == 0) {
            starts[count] = start;
            ends[count] = end;
        }
        count++;
    }

    /** Adds records of the fixed length. */
    void addAll(ByteBuf source, int records) {
        int length = records * recordLength;
        source.readBytes(bytes, end, length);
        end += length;
        count += records;
    }

    /** Adds a copy of bytes that are not a record as a piece. */
    void reject(byte[] source, int offset, int length, String detail) {
        pieces.add(
                Piece.incomplete(RecordBatch.NO_POSITION, Arrays.copyOfRange(source, offset, offset + length), detail));
    }

    /** Removes and returns the oldest piece; null if there is none. */
    @Nullable
    Piece takePiece() {
        return pieces.poll();
    }

    /** Sets a batch to the records of this buffer. */
    void show(RecordBatch batch) {
        if (recordLength == 0) {
            batch.fill(bytes, starts, ends, count, null);
        } else {
            batch.fill(bytes, 0, count, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        }
    }
}
