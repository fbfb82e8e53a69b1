package io.millrace.view.list;

import io.millrace.codec.RawBytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;

/**
 * Records outside of memory, as the feed {@code file} reads them: records of the fixed layout back to back, others with
 * their length before each.
 *
 * <pre>
 * fixed     | record | record | ...
 * compact   | length (4, big-endian) | record | length | record | ...
 * </pre>
 */
final class RecordTransfer {

    private static final int BUFFER_BYTES = 1 << 16;

    /** Receives bytes. */
    interface Sink {
        void write(byte[] bytes, int start, int length) throws IOException;
    }

    /** Returns bytes: up to {@code length}, or -1 at the end. */
    interface Source {
        int read(byte[] bytes, int start, int length) throws IOException;
    }

    private RecordTransfer() {}

    /** Returns the number of bytes that {@link #write} writes. */
    static long bytes(ChunkedRecords records) {
        if (!records.varying()) {
            return (long) records.count() * records.recordLength();
        }
        long bytes = 0;
        for (int i = 0; i < records.count(); i++) {
            bytes += Integer.BYTES + records.length(i);
        }
        return bytes;
    }

    /** Writes all records, in pieces of 64 KiB. */
    static void write(ChunkedRecords records, Sink sink) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        int prefix = prefix(records);
        int filled = 0;
        for (int i = 0; i < records.count(); i++) {
            int length = records.length(i);
            if (filled + prefix + length > buffer.length) {
                sink.write(buffer, 0, filled);
                filled = 0;
                buffer = prefix + length > buffer.length ? new byte[prefix + length] : buffer;
            }
            if (prefix != 0) {
                RawBytes.putInt(buffer, filled, length);
            }
            System.arraycopy(records.array(i), records.start(i), buffer, filled + prefix, length);
            filled += prefix + length;
        }
        sink.write(buffer, 0, filled);
    }

    /**
     * Adds the records that a source returns until its end.
     *
     * @throws EOFException if the source ends within a record
     * @throws StreamCorruptedException if a length is invalid
     */
    static void read(ChunkedRecords records, Source source) throws IOException {
        byte[] buffer = new byte[Math.max(BUFFER_BYTES, records.recordLength())];
        int prefix = prefix(records);
        int start = 0;
        int end = 0;
        while (true) {
            int length = records.recordLength();
            if (prefix != 0) {
                length = end - start < prefix ? 0 : RawBytes.getInt(buffer, start);
                requireLength(length, records);
            }
            if (end - start >= prefix + length) {
                records.add(buffer, start + prefix, length);
                start += prefix + length;
                continue;
            }
            byte[] next = prefix + length > buffer.length ? new byte[prefix + length] : buffer;
            System.arraycopy(buffer, start, next, 0, end - start);
            buffer = next;
            end -= start;
            start = 0;
            int read = source.read(buffer, end, buffer.length - end);
            if (read < 0) {
                requireComplete(end, records);
                return;
            }
            end += read;
        }
    }

    private static int prefix(ChunkedRecords records) {
        return records.varying() ? Integer.BYTES : 0;
    }

    private static void requireLength(int length, ChunkedRecords records) throws StreamCorruptedException {
        if (length < 0 || length > records.maxLength()) {
            throw new StreamCorruptedException("Invalid length of record " + records.count() + ": "
                    + Integer.toUnsignedString(length) + ". A record has at most " + records.maxLength() + " bytes.");
        }
    }

    private static void requireComplete(int left, ChunkedRecords records) throws EOFException {
        if (left > 0) {
            throw new EOFException("Incomplete record " + records.count() + ": the input ends after " + left
                    + " of its bytes. Read complete records only.");
        }
    }
}
