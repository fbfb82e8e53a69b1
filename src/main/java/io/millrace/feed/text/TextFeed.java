package io.millrace.feed.text;

import io.millrace.codec.ContentException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.text.ConditionSink;
import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.LineSplitter;
import io.millrace.codec.text.LineSplitter.Next;
import io.millrace.codec.text.RecordBuffer;
import io.millrace.codec.text.RecordText;
import io.millrace.codec.text.RowSink;
import io.millrace.codec.text.StreamWindow;
import io.millrace.feed.FeedOfFile;
import io.millrace.feed.FileWindow;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A feed of a file of text, which becomes fixed or compact records. Ends at the end of the file; replayable, with
 * positions in bytes. Text that is not a valid record is a piece: the whole line, or the beginning of one that is too
 * long.
 *
 * <p>If the file may grow, a last line without a line end is an incomplete record, which the feed returns as a piece
 * after the end, and reads again when the file is opened again. Otherwise it is a record. If the file has grown
 * nevertheless, what follows on the same line is a piece.
 */
final class TextFeed extends FeedOfFile {

    private static final int INITIAL_BYTES = 1 << 18;

    /** A batch ends when its records take this many bytes. */
    private static final int BATCH_BYTES = 1 << 20;

    private final Path path;
    private final RecordText text;
    private final boolean last;
    private final RecordBuffer records;
    private final RowSink valid;
    private final boolean fixed;
    private final FileWindow window;
    private final int[] bounds;
    private final long[] positions;
    private LineSplitter lines;
    private volatile long lag;
    private @Nullable Piece piece;
    /** Whether reading begins within a line whose beginning was read as a record. */
    private boolean withinLine;

    private boolean ended;

    /**
     * @param schema schema of the fixed or the compact layout
     * @param batchRecords maximum number of records per poll
     * @param last whether the file does not grow, so that its last line needs no line end
     */
    TextFeed(Path path, RecordText text, Schema schema, int batchRecords, boolean last) {
        super(path);
        this.path = path;
        this.text = text;
        this.last = last;
        this.window = new FileWindow(file, INITIAL_BYTES);
        this.lines = text.split(window, last);
        this.records = new RecordBuffer(schema);
        this.valid = ConditionSink.of(schema, records);
        this.fixed = !schema.layout().variesInLength();
        this.bounds = new int[batchRecords + 1];
        this.positions = new long[batchRecords + 1];
    }

    /**
     * Requires that a file begins as its form of text does.
     *
     * @throws ContentException if it has another content, which the message names
     */
    static void requireHead(Path path, RecordText text, boolean last) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            readHead(path, text, text.split(new StreamWindow(in), last));
        }
    }

    private static boolean readHead(Path path, RecordText text, LineSplitter lines) throws IOException {
        try {
            return text.readHead(lines);
        } catch (CsvException e) {
            throw new ContentException(
                    "'" + path + "', " + String.valueOf(e.getMessage()).lines().collect(Collectors.joining(" ")));
        }
    }

    @Override
    public void open(long startPosition) throws IOException {
        file.open(startPosition);
        window.moveTo(0);
        lines = text.split(window, last);
        readHead(path, text, lines);
        withinLine = false;
        if (startPosition > window.position()) {
            withinLine = !isBehindLineEnd(startPosition);
            window.moveTo(startPosition);
        }
        piece = null;
        ended = false;
        lag = window.remaining();
    }

    private boolean isBehindLineEnd(long position) throws IOException {
        ByteBuffer before = ByteBuffer.allocate(1);
        file.opened().read(before, position - 1);
        return before.get(0) == '\n' || before.get(0) == '\r';
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        records.clear();
        int count = 0;
        while (count + 1 < bounds.length && records.length() < BATCH_BYTES && piece == null && !ended) {
            Next next = withinLine ? lines.nextRest() : lines.next();
            int from = records.length();
            Piece invalid = next == Next.END ? null : read(next);
            if (invalid != null && count > 0) {
                // The records before the piece are stored first; the next poll reads it again.
                break;
            }
            piece = invalid;
            ended = next == Next.END || (invalid != null && next == Next.INCOMPLETE);
            if (records.length() > from) {
                bounds[count] = from;
                positions[count] = window.position();
                count++;
            }
            if (!ended) {
                withinLine = false;
                lines.consume();
            }
        }
        lag = ended ? 0 : window.remaining();
        if (count == 0) {
            return ended ? Poll.END : Poll.NOTHING_YET;
        }
        return fill(batch, count);
    }

    private Poll fill(RecordBatch batch, int count) {
        bounds[count] = records.length();
        positions[count] = window.position();
        window.endBatch();
        if (fixed) {
            batch.fill(records.bytes(), count, positions);
        } else {
            batch.fill(records.bytes(), bounds, count, positions);
        }
        return Poll.RECORDS;
    }

    /**
     * Reads the current line. Returns what it is if it is not a valid record or blank.
     *
     * @param found whether the line has an end
     */
    private @Nullable Piece read(Next found) throws IOException {
        boolean incomplete = found == Next.INCOMPLETE;
        int length = lines.length();
        if (withinLine) {
            return length == 0
                    ? null
                    : piece(
                            RejectReason.Kind.INVALID_VALUE,
                            "Text behind a record in the same line. The record was read"
                                    + " when the file ended there. Remove the record if it is incomplete.");
        }
        if (found == Next.TOO_LONG) {
            return piece(RejectReason.Kind.INVALID_VALUE, lines.lengthProblem());
        }
        if (incomplete && !text.endsItself()) {
            return piece(RejectReason.Kind.TRUNCATED, truncated(length));
        }
        List<String> reasons = text.read(window.bytes(), window.next(), length, valid);
        if (reasons.isEmpty()) {
            return null;
        }
        return incomplete
                ? piece(RejectReason.Kind.TRUNCATED, truncated(length) + " " + String.join(" ", reasons))
                : piece(RejectReason.Kind.INVALID_VALUE, String.join(" ", reasons));
    }

    private static String truncated(int length) {
        return "Truncated line at the end of the feed: " + length + " bytes without a line end. If the file does not"
                + " grow, set 'final: true'.";
    }

    private Piece piece(RejectReason.Kind kind, String detail) {
        byte[] line = Arrays.copyOfRange(window.bytes(), window.next(), window.next() + lines.length());
        return new Piece(window.position(), line, new RejectReason(kind, detail));
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
