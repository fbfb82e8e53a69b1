package io.millrace.feed.file;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.file.ContentCheck;
import io.millrace.codec.frame.FixedFramer;
import io.millrace.feed.FeedOfFile;
import io.millrace.feed.Split;
import io.millrace.feed.Stripes;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A feed of a file of fixed-length records, back to back, or of its {@linkplain Stripes stripes}. Ends at the end of
 * the file at the time of reading; replayable. Returns an incomplete last record as a piece after the end, and as a
 * record if it is complete when the file is opened again. Reuses one array, so that a poll allocates nothing. Opening
 * fails if the file does not contain records, and reading fails at the end if the file was truncated meanwhile.
 */
public final class FileFeed extends FeedOfFile {

    private final Path path;
    private final Schema schema;
    private final FixedFramer framer;
    private final Stripes stripes;
    private final byte[] bytes;
    private final ByteBuffer buffer;
    private volatile long position;
    /**
     * File size when last read. Updated only after {@link #lag} was called, as a system call per poll would be slow.
     */
    private volatile long size;

    private volatile boolean sizeRequested;
    /** Position of the open file between two polls. */
    private long moved;

    private @Nullable Piece piece;
    private boolean incomplete;
    private boolean ended;

    /**
     * @param path of the file
     * @param schema of the records
     * @param batchRecords maximum number of records per poll
     * @param split part of the file to read
     */
    public FileFeed(Path path, Schema schema, int batchRecords, Split split) {
        super(path);
        this.path = path;
        this.schema = schema;
        this.framer = FixedFramer.of(schema);
        this.stripes = new Stripes(split, framer.recordLength());
        this.bytes = new byte[Math.multiplyExact(framer.recordLength(), batchRecords)];
        this.buffer = ByteBuffer.wrap(bytes);
    }

    @Override
    public void open(long startPosition) throws IOException {
        ContentCheck.requireRecords(path, schema);
        FileChannel opened = file.open(startPosition);
        incomplete = false;
        ended = false;
        piece = null;
        position = startPosition;
        moved = startPosition;
        size = opened.size();
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        if (incomplete) {
            return end();
        }
        long batchPosition = stripes.next(position);
        buffer.clear().limit((int) Math.min(bytes.length, stripes.remaining(batchPosition)));
        while (moveTo(batchPosition) && buffer.hasRemaining() && file.read(buffer) >= 0) {
            // a read may return fewer bytes than requested
        }
        int read = buffer.position();
        int leftOver = framer.leftOver(read);
        int recordBytes = read - leftOver;
        if (leftOver > 0) {
            incomplete = true;
            piece = Piece.incomplete(
                    batchPosition + recordBytes,
                    Arrays.copyOfRange(bytes, recordBytes, read),
                    "Truncated record at the end of the feed: " + leftOver + " of " + framer.recordLength()
                            + " bytes.");
        }
        if (recordBytes == 0) {
            return end();
        }
        framer.frame(batch, bytes, 0, recordBytes, batchPosition);
        position = batchPosition + recordBytes;
        moved = position;
        file.identity().read(bytes, 0, recordBytes);
        file.identity().endBatch();
        if (sizeRequested) {
            sizeRequested = false;
            size = file.opened().size();
        }
        return Poll.RECORDS;
    }

    /** Ends, unless the file has grown since it was read. */
    private Poll end() throws IOException {
        long now = file.opened().size();
        size = now - now % framer.recordLength();
        ended = incomplete || stripes.before(size) <= stripes.before(position);
        return ended ? Poll.END : Poll.NOTHING_YET;
    }

    @Override
    public long extent() {
        return size;
    }

    /** Moves to the stripe that begins at a position, at the end of the one before. Returns whether the file has it. */
    private boolean moveTo(long next) throws IOException {
        if (next == moved) {
            return true;
        }
        if (next > file.opened().size()) {
            file.identity().requireComplete();
            return false;
        }
        file.opened().position(next);
        file.identity().moveTo(next);
        moved = next;
        return true;
    }

    @Override
    public long taken(long readPosition) {
        return stripes.before(readPosition);
    }

    @Override
    public @Nullable Piece takePiece() {
        if (!ended) { // the records before the piece are stored first
            return null;
        }
        Piece taken = piece;
        piece = null;
        return taken;
    }

    @Override
    public long lag() {
        sizeRequested = true;
        return Math.max(0, stripes.before(size) - stripes.before(position));
    }
}
