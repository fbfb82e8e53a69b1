package io.millrace.feed.file;

import io.millrace.codec.FixedFramer;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
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
 * A file of fixed records, back to back. Ends where the file ended when it was reached; replayable. Reads into one
 * array that it keeps, so a poll allocates nothing.
 */
public final class FileFeed implements Feed {

    private final Path path;
    private final FixedFramer framer;
    private final byte[] bytes;
    private final ByteBuffer buffer;
    private @Nullable FileChannel channel;
    private long position;
    private volatile long lag;
    private @Nullable Piece piece;
    private boolean cut;

    /**
     * @param path the file
     * @param schema of its records
     * @param batchRecords the most records that one poll brings
     */
    public FileFeed(Path path, Schema schema, int batchRecords) {
        this.path = path;
        this.framer = FixedFramer.of(schema);
        this.bytes = new byte[Math.multiplyExact(framer.recordLength(), batchRecords)];
        this.buffer = ByteBuffer.wrap(bytes);
    }

    @Override
    public void open(long from) throws IOException {
        FileChannel opened = FileChannel.open(path, StandardOpenOption.READ);
        channel = opened;
        long size = opened.size();
        if (from > size) {
            throw new EOFException("file=" + path + " has " + size + " bytes, but its records were read up to byte "
                    + from + ": it is not the file that this pipeline began with");
        }
        opened.position(from);
        position = from;
        lag = size - from;
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        FileChannel open = channel;
        if (open == null) {
            throw new IllegalStateException("the feed is not open");
        }
        if (cut) {
            return Poll.END;
        }
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
                    position + whole,
                    Arrays.copyOfRange(bytes, whole, read),
                    "the feed ends after " + leftOver + " of the record's " + framer.recordLength() + " bytes");
        }
        if (whole == 0) {
            lag = 0;
            return Poll.END;
        }
        framer.frame(batch, bytes, 0, whole, position);
        position += whole;
        lag = Math.max(0, open.size() - position);
        return Poll.RECORDS;
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

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
