package io.millrace.feed.file;

import io.millrace.codec.ContentCheck;
import io.millrace.codec.FixedFramer;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.FileIdentity;
import io.millrace.schema.Schema;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A file of fixed records, back to back. Ends where the file ended when it was reached; replayable. A record that is
 * cut off there is given as a piece after the end, and as a record if it is complete when the file is opened again.
 * Reads into one array that it keeps, so a poll allocates nothing. A file of something else than records is refused
 * when it is opened.
 */
public final class FileFeed implements Feed {

    private final Path path;
    private final Schema schema;
    private final FixedFramer framer;
    private final byte[] bytes;
    private final ByteBuffer buffer;
    private @Nullable FileChannel channel;
    private String key = "";
    private volatile long position;
    /** As last read; read again once somebody has asked, as a call of the system for each poll would slow it down. */
    private volatile long size;

    private volatile boolean sizeAsked;
    private @Nullable Piece piece;
    private boolean cut;
    private boolean ended;

    /**
     * @param path the file
     * @param schema of its records
     * @param batchRecords the most records that one poll brings
     */
    public FileFeed(Path path, Schema schema, int batchRecords) {
        this.path = path;
        this.schema = schema;
        this.framer = FixedFramer.of(schema);
        this.bytes = new byte[Math.multiplyExact(framer.recordLength(), batchRecords)];
        this.buffer = ByteBuffer.wrap(bytes);
    }

    @Override
    public void open(long from) throws IOException {
        ContentCheck.requireRecords(path, schema);
        FileChannel opened = FileChannel.open(path, StandardOpenOption.READ);
        channel = opened;
        key = FileIdentity.key(path);
        long length = opened.size();
        if (from > length) {
            throw new EOFException("file=" + path + " has " + length + " bytes, but its records were read up to byte "
                    + from + ": it is not the file that this pipeline began with");
        }
        opened.position(from);
        cut = false;
        ended = false;
        piece = null;
        position = from;
        size = length;
    }

    private FileChannel opened() {
        FileChannel open = channel;
        if (open == null) {
            throw new IllegalStateException("the feed is not open");
        }
        return open;
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        FileChannel open = opened();
        if (cut) {
            ended = true;
            return Poll.END;
        }
        long from = position;
        buffer.clear();
        while (buffer.hasRemaining() && open.read(buffer) >= 0) {
            // a read may stop short of the end
        }
        int read = buffer.position();
        int leftOver = framer.leftOver(read);
        int whole = read - leftOver;
        if (leftOver > 0) {
            cut = true;
            piece = new Piece(
                    from + whole,
                    Arrays.copyOfRange(bytes, whole, read),
                    "the feed ends after " + leftOver + " of the record's " + framer.recordLength() + " bytes");
        }
        if (whole == 0) {
            size = from;
            ended = true;
            return Poll.END;
        }
        framer.frame(batch, bytes, 0, whole, from);
        position = from + whole;
        if (sizeAsked) {
            sizeAsked = false;
            size = open.size();
        }
        return Poll.RECORDS;
    }

    @Override
    public @Nullable Piece takePiece() {
        if (!ended) { // the records before it are to be stored first
            return null;
        }
        Piece taken = piece;
        piece = null;
        return taken;
    }

    @Override
    public long lag() {
        sizeAsked = true;
        return Math.max(0, size - position);
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public String identity(long read) throws IOException {
        return FileIdentity.of(opened(), key, read);
    }

    @Override
    public void verify(String identity) throws IOException {
        FileIdentity.verify(path, identity);
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }
}
