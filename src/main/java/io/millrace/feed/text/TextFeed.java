package io.millrace.feed.text;

import io.millrace.codec.ContentCheck;
import io.millrace.codec.ContentException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.text.ConditionSink;
import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.RecordBuffer;
import io.millrace.codec.text.RecordText;
import io.millrace.codec.text.RowSink;
import io.millrace.feed.FeedOfFile;
import io.millrace.feed.FileWindow;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
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
    private final RowSink valid;
    private final boolean fixed;
    private final FileWindow window;
    private final int[] bounds;
    private final long[] positions;
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
        this.window = new FileWindow(file, INITIAL_BYTES);
        this.records = new RecordBuffer(schema);
        this.valid = ConditionSink.of(schema, records);
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
                    "'" + path + "', " + String.valueOf(e.getMessage()).lines().collect(Collectors.joining(" ")));
        }
    }

    @Override
    public void open(long startPosition) throws IOException {
        file.open(startPosition);
        window.moveTo(0);
        window.require(INITIAL_BYTES);
        int head = readHead(path, text, window.bytes(), window.limit());
        if (startPosition <= head) {
            window.advance(head);
        } else {
            window.moveTo(startPosition);
        }
        piece = null;
        lag = window.remaining();
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
            int start = window.next();
            List<String> reasons = text.read(window.bytes(), start, end - start, valid);
            if (!reasons.isEmpty()) {
                piece = new Piece(
                        window.position(),
                        Arrays.copyOfRange(window.bytes(), start, end),
                        new RejectReason(RejectReason.Kind.INVALID_VALUE, String.join(" ", reasons)));
                if (count > 0) {
                    // The records before the piece are stored first; the next poll reads it again.
                    break;
                }
            } else if (records.length() > from) {
                bounds[count] = from;
                positions[count] = window.position();
                count++;
            }
            advance(end);
        }
        lag = window.remaining();
        if (count == 0) {
            return piece == null ? Poll.END : Poll.NOTHING_YET;
        }
        piece = null;
        bounds[count] = records.length();
        positions[count] = window.position();
        if (fixed) {
            batch.fill(records.bytes(), count, positions);
        } else {
            batch.fill(records.bytes(), bounds, count, positions);
        }
        return Poll.RECORDS;
    }

    /** Consumes a record, and the line feed that ends it. */
    private void advance(int end) {
        window.advance((end < window.limit() ? end + 1 : end) - window.next());
    }

    /** Returns the end of the next record in the window, or -1 at the end of the file. */
    private int end() throws IOException {
        while (window.next() < window.limit() || !window.ended()) {
            int end = text.end(window.bytes(), window.next(), window.limit(), window.ended());
            if (end >= 0) {
                return end;
            }
            boolean tooLong = window.limit() - window.next() >= text.maxBytes();
            if (window.ended() || tooLong) {
                return lineEnd(tooLong);
            }
            window.readMore();
        }
        return -1;
    }

    /** Returns the end of the first line of a record that has no end. */
    private int lineEnd(boolean tooLong) throws IOException {
        for (int i = window.next(); i < window.limit(); i++) {
            if (window.bytes()[i] == '\n') {
                return i;
            }
        }
        if (tooLong) {
            throw new IOException("The line at byte " + window.position() + " of '" + path
                    + "' is too long. Use at most " + text.maxBytes() + " bytes.");
        }
        return window.limit();
    }

    @Override
    public @Nullable Piece takePiece() {
        Piece taken = piece;
        piece = null;
        return taken;
    }

    @Override
    public long lag() {
        return lag;
    }
}
