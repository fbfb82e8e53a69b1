package io.millrace.web;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An answer as bytes, chunk by chunk; rows are asked for when their chunk is. One thread at a time takes chunks, any
 * may close it.
 */
final class AnswerBody {

    /** A connection takes 128 chunks ahead of what its client has read. */
    private static final int CHUNK_BYTES = 16 << 10;

    private final Rows rows;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * CHUNK_BYTES);
    private final RowWriter writer;
    private final Queue<byte[]> ahead = new ArrayDeque<>();
    private boolean ended;
    private volatile boolean closed;

    /** @param format makes a writer to a stream of bytes */
    AnswerBody(Rows rows, Function<OutputStream, RowWriter> format) {
        this.rows = rows;
        writer = format.apply(bytes);
    }

    /** Reads so many bytes of chunks ahead, so that what goes wrong until then can still be answered by a status. */
    void readAhead(int most) {
        int read = 0;
        while (read < most && !ended) {
            byte[] chunk = read();
            read += chunk.length;
            ahead.add(chunk);
        }
    }

    /** Whether all that is left was read ahead. */
    boolean isWhole() {
        return ended;
    }

    /** Bytes that were read ahead. */
    long length() {
        return ahead.stream().mapToLong(chunk -> chunk.length).sum();
    }

    /** What was read ahead, where that is all. */
    List<byte[]> whole() {
        return List.copyOf(ahead);
    }

    /** The next chunk; empty where there is none. */
    byte[] next() {
        byte[] chunk = ahead.poll();
        return chunk == null ? read() : chunk;
    }

    private byte[] read() {
        try {
            while (!ended && bytes.size() < CHUNK_BYTES) {
                write();
            }
        } catch (RuntimeException e) {
            if (!closed) {
                throw e;
            }
            // Of no interest to anybody any more.
            ended = true;
        }
        byte[] chunk = bytes.toByteArray();
        bytes.reset();
        return chunk;
    }

    private void write() {
        Map<String, @Nullable Object> row = rows.next();
        if (row == null) {
            writer.end(rows.end());
            ended = true;
        } else {
            writer.row(row);
        }
        writer.flush();
    }

    /** Nobody takes chunks any more: what looks for rows ends. */
    void close() {
        closed = true;
        rows.close();
    }
}
