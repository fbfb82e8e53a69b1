package io.millrace.feed.file;

import io.millrace.codec.ContentException;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.file.ContentCheck;
import io.millrace.feed.FeedOfFile;
import io.millrace.feed.FileWindow;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A feed of a file of records that vary in length, each after its length.
 *
 * <pre>
 * | length, 4 bytes, big-endian | record | length | record | ...
 * </pre>
 *
 * <p>Ends at the end of the file at the time of reading; replayable, with positions in bytes. Returns an incomplete
 * last record as a piece after the end, and as a record if it is complete when the file is opened again. Fails at an
 * invalid length, because the start of the next record is then unknown. Reuses its arrays, which grow for long records.
 */
final class PrefixedFileFeed extends FeedOfFile {

    private static final int INITIAL_BYTES = 1 << 18;

    /** A batch ends when its records take this many bytes. */
    private static final int BATCH_BYTES = 1 << 20;

    private final Path path;
    private final Schema schema;
    private final FileWindow window;
    private final int[] bounds;
    private final long[] positions;
    private byte[] records = new byte[INITIAL_BYTES];
    private volatile long lag;
    private @Nullable Piece piece;

    /** @param batchRecords maximum number of records per poll */
    PrefixedFileFeed(Path path, Schema schema, int batchRecords) {
        super(path);
        this.path = path;
        this.schema = schema;
        this.window = new FileWindow(file, INITIAL_BYTES);
        this.bounds = new int[batchRecords + 1];
        this.positions = new long[batchRecords + 1];
    }

    @Override
    public void open(long startPosition) throws IOException {
        ContentCheck.requireRecords(path, schema);
        file.open(startPosition);
        window.moveTo(startPosition);
        piece = null;
        lag = window.remaining();
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        int count = 0;
        int end = 0;
        while (count + 1 < bounds.length && end < BATCH_BYTES && requireRecord()) {
            int length = RawBytes.getInt(window.bytes(), window.next());
            if (records.length - end < length) {
                records = Arrays.copyOf(records, Math.max(2 * records.length, end + length));
            }
            System.arraycopy(window.bytes(), window.next() + Integer.BYTES, records, end, length);
            bounds[count] = end;
            positions[count] = window.position();
            window.advance(Integer.BYTES + length);
            end += length;
            count++;
        }
        lag = window.remaining();
        if (count == 0) {
            piece = incomplete();
            return Poll.END;
        }
        bounds[count] = end;
        positions[count] = window.position();
        window.endBatch();
        batch.fill(records, bounds, count, positions);
        return Poll.RECORDS;
    }

    /** Reads the next record, and returns whether it is complete. */
    private boolean requireRecord() throws IOException {
        if (!window.require(Integer.BYTES)) {
            return false;
        }
        int length = RawBytes.getInt(window.bytes(), window.next());
        int maxLength = schema.layout().maxLength();
        if (length < 0 || length > maxLength) {
            throw new ContentException("Invalid length of a record at byte " + window.position() + " of '" + path
                    + "': " + Integer.toUnsignedString(length) + ". A record of schema '" + schema.name()
                    + "' has at most " + maxLength + " bytes.");
        }
        return window.require(Integer.BYTES + length);
    }

    private @Nullable Piece incomplete() {
        int length = window.limit() - window.next();
        return length == 0
                ? null
                : Piece.incomplete(
                        window.position(),
                        Arrays.copyOfRange(window.bytes(), window.next(), window.limit()),
                        "Truncated record at the end of the feed: " + length + " bytes of a length and its record.");
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
