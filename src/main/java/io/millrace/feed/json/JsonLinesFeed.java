package io.millrace.feed.json;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.compact.CompactEncoder;
import io.millrace.codec.json.JsonRecordException;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedFile;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A feed of a file with one JSON object per line, in UTF-8; blank lines are skipped. Ends at the end of the file;
 * replayable, with positions in bytes. A line that is not a valid record is a piece. The last line needs no line feed.
 */
public final class JsonLinesFeed implements Feed {

    /** Maximum length of a line in bytes. */
    public static final int MAX_LINE_BYTES = 1 << 26;

    private static final int INITIAL_BYTES = 1 << 18;

    /** A batch ends when its records take this many bytes. */
    private static final int BATCH_BYTES = 1 << 20;

    private final Path path;
    private final FeedFile file;
    private final JsonToCompact records;
    private final int[] bounds;
    private final long[] positions;
    private byte[] buffer = new byte[INITIAL_BYTES];
    private int next;
    private int limit;
    private boolean fileEnded;
    private long position;
    private volatile long lag;
    private @Nullable Piece piece;

    /**
     * @param schema schema of the compact layout
     * @param batchRecords maximum number of records per poll
     */
    public JsonLinesFeed(Path path, Schema schema, int batchRecords) {
        this.path = path;
        this.file = new FeedFile(path);
        this.records = new JsonToCompact(schema);
        this.bounds = new int[batchRecords + 1];
        this.positions = new long[batchRecords + 1];
    }

    @Override
    public void open(long startPosition) throws IOException {
        FileChannel opened = file.open(startPosition);
        position = startPosition;
        next = 0;
        limit = 0;
        fileEnded = false;
        piece = null;
        lag = opened.size() - startPosition;
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        CompactEncoder encoder = records.encoder();
        encoder.clear();
        int count = 0;
        while (count + 1 < bounds.length && encoder.length() < BATCH_BYTES && piece == null) {
            int end = lineEnd();
            if (end < 0) {
                break;
            }
            int from = encoder.length();
            if (!isBlank(next, end)) {
                try {
                    records.append(buffer, next, end - next);
                    bounds[count] = from;
                    positions[count] = position;
                    count++;
                } catch (JsonRecordException e) {
                    piece = new Piece(
                            position,
                            Arrays.copyOfRange(buffer, next, end),
                            new RejectReason(RejectReason.Kind.INVALID_VALUE, String.valueOf(e.getMessage())));
                    if (count > 0) {
                        // The records before the piece are stored first; the next poll reads the line again.
                        break;
                    }
                }
            }
            advance(end);
        }
        lag = file.opened().size() - position;
        if (count > 0) {
            piece = null;
            bounds[count] = encoder.length();
            positions[count] = position;
            batch.fill(encoder.bytes(), bounds, count, positions);
            return Poll.RECORDS;
        }
        return piece == null ? Poll.END : Poll.NOTHING_YET;
    }

    private void advance(int lineEnd) {
        int after = lineEnd < limit ? lineEnd + 1 : lineEnd;
        position += after - next;
        next = after;
    }

    private boolean isBlank(int from, int end) {
        for (int i = from; i < end; i++) {
            if (buffer[i] != ' ' && buffer[i] != '\t' && buffer[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    /** Returns the end of the line that begins at {@code next}, or -1 at the end of the file. */
    private int lineEnd() throws IOException {
        int searched = next;
        while (true) {
            for (int i = searched; i < limit; i++) {
                if (buffer[i] == '\n') {
                    return i;
                }
            }
            if (fileEnded) {
                return next < limit ? limit : -1;
            }
            int length = limit - next;
            read();
            searched = next + length;
        }
    }

    /** Reads more of the file behind the current line. */
    private void read() throws IOException {
        int length = limit - next;
        if (length > buffer.length / 2) {
            if (length >= MAX_LINE_BYTES) {
                throw new IOException(
                        "file=" + path + " has a line of more than " + MAX_LINE_BYTES + " bytes at byte " + position);
            }
            buffer = Arrays.copyOfRange(buffer, next, next + 2 * buffer.length);
        } else {
            System.arraycopy(buffer, next, buffer, 0, length);
        }
        next = 0;
        limit = length;
        int read = file.opened().read(ByteBuffer.wrap(buffer, limit, buffer.length - limit));
        if (read < 0) {
            fileEnded = true;
        } else {
            limit += read;
        }
    }

    @Override
    public @Nullable Piece takePiece() {
        Piece taken = piece;
        piece = null;
        return taken;
    }

    @Override
    public long lag() {
        return Math.max(0, lag);
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public String identity(long readPosition) throws IOException {
        return file.identity(readPosition);
    }

    @Override
    public void verify(String identity) throws IOException {
        file.verify(identity);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
