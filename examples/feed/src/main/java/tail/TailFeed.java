package tail;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.frame.FixedFramer;
import io.millrace.feed.Feed;
import io.millrace.feed.FileIdentity;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Reads a file and waits for the records that are appended to it. The position is in bytes. */
final class TailFeed implements Feed {

    private final Path path;
    private final FileIdentity identity;
    private final FixedFramer framer;
    private final byte[] bytes;
    private FileChannel file;
    private long position;
    private volatile long lag;

    TailFeed(Path path, Schema schema, int batchRecords) {
        this.path = path;
        this.identity = new FileIdentity(path);
        this.framer = FixedFramer.of(schema);
        this.bytes = new byte[framer.recordLength() * batchRecords];
    }

    @Override
    public void open(long startPosition) throws IOException {
        file = FileChannel.open(path);
        identity.open(file, startPosition);
        position = startPosition;
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        int read = Math.max(0, file.read(ByteBuffer.wrap(bytes), position));
        int complete = read - framer.leftOver(read);
        lag = file.size() - position - complete;
        if (complete == 0) {
            identity.requireComplete();
            LockSupport.parkNanos(maxWait.toNanos());
            return Poll.NOTHING_YET;
        }
        framer.frame(batch, bytes, 0, complete, position);
        position += complete;
        identity.read(bytes, 0, complete);
        identity.endBatch();
        return Poll.RECORDS;
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public String identity(long readPosition) throws IOException {
        return identity.at(readPosition);
    }

    @Override
    public void verify(String before) throws IOException {
        identity.verify(before);
    }

    @Override
    public long lag() {
        return lag;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
