package io.millrace.feed.file;

import io.millrace.codec.ContentException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.file.ContentCheck;
import io.millrace.codec.frame.Framer;
import io.millrace.codec.frame.Framing;
import io.millrace.feed.FeedOfFile;
import io.millrace.feed.FileWindow;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.ByteOrder;
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
 * invalid length, because the start of the next record is then unknown. Records stay where they were read, in an array
 * that grows for long ones.
 */
final class PrefixedFileFeed extends FeedOfFile {

    private static final int INITIAL_BYTES = 1 << 18;

    private static final Framer FRAMER =
            new Framing.LengthPrefixed(Integer.BYTES, ByteOrder.BIG_ENDIAN, false).framer(0);

    private final Path path;
    private final Schema schema;
    private final FileWindow window;
    private final int[] starts;
    private final int[] ends;
    private final long[] positions;
    private volatile long lag;
    private @Nullable Piece piece;

    /** @param batchRecords maximum number of records per poll */
    PrefixedFileFeed(Path path, Schema schema, int batchRecords) {
        super(path);
        this.path = path;
        this.schema = schema;
        this.window = new FileWindow(file, INITIAL_BYTES);
        this.starts = new int[batchRecords];
        this.ends = new int[batchRecords];
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
        // To read more would move the records of this batch, so a batch ends with what has been read.
        int frame = nextFrame(true);
        while (frame > 0) {
            starts[count] = window.next() + FRAMER.head();
            ends[count] = window.next() + frame;
            positions[count] = window.position();
            window.advance(frame);
            count++;
            frame = count < starts.length ? nextFrame(false) : 0;
        }
        lag = window.remaining();
        if (count == 0) {
            piece = incomplete();
            return Poll.END;
        }
        positions[count] = window.position();
        window.endBatch();
        batch.fill(window.bytes(), starts, ends, count, positions);
        return Poll.RECORDS;
    }

    /** Returns the length of the next frame, or 0 if it is incomplete. Reads more of the file if it may. */
    private int nextFrame(boolean mayRead) throws IOException {
        while (true) {
            long length = FRAMER.frameLength(window.bytes(), window.next(), window.limit(), 0);
            int maxLength = schema.layout().maxLength();
            if (length - FRAMER.head() > maxLength) {
                if (!mayRead) {
                    return 0; // the records before are processed first
                }
                throw new ContentException("Invalid length of a record at byte " + window.position() + " of '" + path
                        + "': " + (length - FRAMER.head()) + ". A record of schema '" + schema.name() + "' has at most "
                        + maxLength + " bytes.");
            }
            if (length <= window.limit() - window.next()) {
                return (int) length;
            }
            if (!mayRead || window.ended()) {
                return 0;
            }
            window.readMore();
        }
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
