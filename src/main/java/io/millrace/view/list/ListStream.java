package io.millrace.view.list;

import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * The lists that a channel returns, one after the other until its end, each with what identifies its schema:
 *
 * <pre>
 * "MILLRACE" | fingerprint (8) | length (8) | records, as in {@link RecordTransfer} | "MILLRACE" | ...
 * </pre>
 *
 * <p>Numbers are big-endian. Not thread-safe.
 */
final class ListStream {

    /** Length in bytes of what precedes the records of a list. */
    static final int HEADER_BYTES = 3 * Long.BYTES;

    /** The text "MILLRACE". */
    private static final long MAGIC = 0x4D49_4C4C_5241_4345L;

    private final ReadableByteChannel channel;
    private final ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);

    ListStream(ReadableByteChannel channel) {
        this.channel = channel;
    }

    /** Returns what precedes the records of a list. */
    static byte[] header(long fingerprint, long length) {
        return ByteBuffer.allocate(HEADER_BYTES)
                .putLong(MAGIC)
                .putLong(fingerprint)
                .putLong(length)
                .array();
    }

    /**
     * Adds the records of all lists.
     *
     * @param fingerprint of the schema of the records
     * @throws EOFException if the channel has no list, or ends within one
     * @throws StreamCorruptedException if the channel returns something else, or records of another schema
     */
    void read(ChunkedRecords records, long fingerprint) throws IOException {
        if (!readHeader()) {
            throw new EOFException("The input is empty. Read what writeTo has written.");
        }
        do {
            long found = header.getLong(Long.BYTES);
            if (header.getLong(0) != MAGIC) {
                throw new StreamCorruptedException("The input has no list of records at record " + records.count()
                        + ". Read records without the fingerprint of their schema with readRecordsFrom.");
            }
            if (found != fingerprint) {
                throw new StreamCorruptedException("The records were written with another schema: its fingerprint is "
                        + Long.toHexString(found) + ", that of the views " + Long.toHexString(fingerprint)
                        + ". Read them with views of that schema.");
            }
            long length = header.getLong(2 * Long.BYTES);
            if (length < 0) {
                throw new StreamCorruptedException("Invalid length of a list: " + length + ". Write it again.");
            }
            RecordTransfer.read(records, new LimitedSource(this::readRecords, length));
        } while (readHeader());
    }

    /** Returns false at the end of the channel. */
    private boolean readHeader() throws IOException {
        header.clear();
        while (header.hasRemaining()) {
            if (channel.read(header) < 0) {
                if (header.position() > 0) {
                    throw new EOFException("Incomplete list: the input ends after " + header.position() + " of the "
                            + HEADER_BYTES + " bytes before its records. Write it again.");
                }
                return false;
            }
        }
        return true;
    }

    private int readRecords(byte[] bytes, int start, int length) throws IOException {
        return channel.read(ByteBuffer.wrap(bytes, start, length));
    }
}
