package io.millrace.web.answer;

import io.millrace.store.query.Answer;
import io.millrace.store.query.ScanCounts;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An answer as bytes, chunk by chunk. Each chunk is read from the rows when it is taken. One thread at a time takes
 * chunks; any thread may close the body.
 */
final class AnswerBody {

    /** Size of a chunk. A connection buffers 128 chunks that its client has not read. */
    private static final int CHUNK_BYTES = 16 << 10;

    private final Answer<?> rows;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * CHUNK_BYTES);
    private final BooleanSupplier next;
    private final Queue<byte[]> ahead = new ArrayDeque<>();
    private boolean ended;
    /** The number of failed records in the header of the response; -1 if it has none. */
    private long reportedFailed = -1;

    private volatile boolean closed;

    /** @param format creates a writer to a stream of bytes */
    <R> AnswerBody(Answer<R> rows, Function<OutputStream, RowWriter<R>> format) {
        this.rows = rows;
        RowWriter<R> writer = format.apply(bytes);
        next = () -> write(rows, writer);
    }

    /**
     * Reads chunks ahead, so that an error until then can still be returned as a status.
     *
     * @param minBytes bytes after which reading ahead ends
     */
    void readAhead(int minBytes) {
        int read = 0;
        while (read < minBytes && !ended) {
            byte[] chunk = read();
            read += chunk.length;
            ahead.add(chunk);
        }
    }

    /**
     * Returns the number of records that failed so far, for the header of the response. If more records fail later, the
     * answer fails, because the header was sent.
     */
    long reportFailed() {
        reportedFailed = rows.counts().failed();
        return reportedFailed;
    }

    /** Returns whether the whole answer was read ahead. */
    boolean isWhole() {
        return ended;
    }

    /** Returns the number of bytes that were read ahead. */
    long length() {
        return ahead.stream().mapToLong(chunk -> chunk.length).sum();
    }

    /** Returns the chunks that were read ahead. Call it only if the {@linkplain #isWhole whole} answer was. */
    List<byte[]> whole() {
        return List.copyOf(ahead);
    }

    /** Returns the next chunk; empty at the end. */
    byte[] next() {
        byte[] chunk = ahead.poll();
        return chunk == null ? read() : chunk;
    }

    private byte[] read() {
        try {
            while (!ended && bytes.size() < CHUNK_BYTES) {
                ended = !next.getAsBoolean();
            }
        } catch (RuntimeException e) {
            if (!closed) {
                throw e;
            }
            // The client is gone.
            ended = true;
        }
        byte[] chunk = bytes.toByteArray();
        bytes.reset();
        return chunk;
    }

    /** Writes the next row, or what follows the last one, and returns whether there was one. */
    private <R> boolean write(Answer<R> source, RowWriter<R> writer) {
        R row = source.next();
        if (reportedFailed >= 0 && source.counts().failed() > reportedFailed) {
            throw new IllegalStateException("More records have no result than the " + reportedFailed
                    + " that the header reports. Query JSON, which counts them at its end.");
        }
        if (row == null) {
            writer.end(end(source));
        } else {
            writer.row(row);
        }
        writer.flush();
        return row != null;
    }

    private static Map<String, @Nullable Object> end(Answer<?> source) {
        ScanCounts counts = source.counts();
        Map<String, @Nullable Object> end = new LinkedHashMap<>();
        end.put("scanned", counts.scanned());
        end.put("scannedBlocks", counts.scannedBlocks());
        end.put("skippedBlocks", counts.skippedBlocks());
        end.put("failed", counts.failed());
        end.put("firstFailure", counts.firstFailure());
        end.put("nanos", source.nanos());
        return end;
    }

    /** Ends the query. No more chunks are taken. */
    void close() {
        closed = true;
        rows.close();
    }
}
