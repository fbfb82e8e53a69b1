package io.millrace.feed.text;

import io.millrace.codec.ContentCheck;
import io.millrace.codec.ContentException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.RecordBuffer;
import io.millrace.codec.text.RecordText;
import io.millrace.feed.FeedOfFile;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A feed of a file of text, which becomes fixed or compact records. Ends at the end of the file; replayable, with
 * positions in bytes. Text that is not a valid record is a piece. The last record needs no line feed.
 */
final class TextFeed extends FeedOfFile {

    private static final int INITIAL_BYTES = 1 << 18;

    /** A batch ends when its records take this many bytes. */
    private static final int BATCH_BYTES = 1 << 20;

    private final Path path;
    private final RecordText text;
    private final RecordBuffer records;
    private final boolean fixed;
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
     * @param schema schema of the fixed or the compact layout
     * @param batchRecords maximum number of records per poll
     */
    TextFeed(Path path, RecordText text, Schema schema, int batchRecords) {
        super(path);
        this.path = path;
        this.text = text;
        this.records = new RecordBuffer(schema);
        this.fixed = !schema.layout().variesInLength();
        this.bounds = new int[batchRecords + 1];
        this.positions = new long[batchRecords + 1];
    }

    /**
     * Requires that a file is text that begins as it should.
     *
     * @throws ContentException if it has another content, which the message names
     */
    static void requireText(Path path, RecordText text) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] head = in.readNBytes(INITIAL_BYTES);
            ContentCheck.requireText(path.toString(), head);
            readHead(path, text, head, head.length);
        }
    }

    private static int readHead(Path path, RecordText text, byte[] bytes, int length) throws ContentException {
        try {
            return text.readHead(bytes, length);
        } catch (CsvException e) {
            throw new ContentException(
                    "'" + path + "', " + String.valueOf(e.getMessage()).lines().collect(Collectors.joining("; ")));
        }
    }

    @Override
    public void open(long startPosition) throws IOException {
        FileChannel opened = file.open(startPosition);
        opened.position(0);
        position = 0;
        next = 0;
        limit = 0;
        fileEnded = false;
        piece = null;
        while (limit < INITIAL_BYTES && !fileEnded) {
            readMore();
        }
        int head = readHead(path, text, buffer, limit);
        if (startPosition <= head) {
            next = head;
            position = head;
        } else {
            opened.position(startPosition);
            position = startPosition;
            limit = 0;
            fileEnded = false;
        }
        lag = opened.size() - position;
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        records.clear();
        int count = 0;
        while (count + 1 < bounds.length && records.length() < BATCH_BYTES && piece == null) {
            int end = end();
            if (end < 0) {
                break;
            }
            int from = records.length();
            List<String> reasons = text.read(buffer, next, end - next, records);
            if (!reasons.isEmpty()) {
                piece = new Piece(
                        position,
                        Arrays.copyOfRange(buffer, next, end),
                        new RejectReason(RejectReason.Kind.INVALID_VALUE, String.join("; ", reasons)));
                if (count > 0) {
                    // The records before the piece are stored first; the next poll reads it again.
                    break;
                }
            } else if (records.length() > from) {
                bounds[count] = from;
                positions[count] = position;
                count++;
            }
            advance(end);
        }
        lag = file.opened().size() - position;
        if (count == 0) {
            return piece == null ? Poll.END : Poll.NOTHING_YET;
        }
        piece = null;
        bounds[count] = records.length();
        positions[count] = position;
        if (fixed) {
            batch.fill(records.bytes(), count, positions);
        } else {
            batch.fill(records.bytes(), bounds, count, positions);
        }
        return Poll.RECORDS;
    }

    private void advance(int end) {
        int after = end < limit ? end + 1 : end;
        position += after - next;
        next = after;
    }

    /** Returns the end of the record that begins at {@code next}, or -1 at the end of the file. */
    private int end() throws IOException {
        while (next < limit || !fileEnded) {
            int end = text.end(buffer, next, limit, fileEnded);
            if (end >= 0) {
                return end;
            }
            boolean tooLong = limit - next >= text.maxBytes();
            if (fileEnded || tooLong) {
                return lineEnd(tooLong);
            }
            readMore();
        }
        return -1;
    }

    /** Returns the end of the first line of a record that has no end. */
    private int lineEnd(boolean tooLong) throws IOException {
        for (int i = next; i < limit; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        if (tooLong) {
            throw new IOException(
                    "'" + path + "' has a line of more than " + text.maxBytes() + " bytes at byte " + position + ".");
        }
        return limit;
    }

    /** Reads more of the file behind the current record. */
    private void readMore() throws IOException {
        int length = limit - next;
        if (length > buffer.length / 2) {
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
}
