package io.millrace.feed.pcap;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.FileIdentity;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records that lie in UDP datagrams of a capture file, pcap or pcapng. Ends where the file ended when it was reached.
 *
 * <p>Positions count what should be records, whether it is one or a {@linkplain Feed.Piece piece}, from the file's
 * beginning: so no two of them share one. The feed is replayable: a position is found by reading again from the
 * beginning, which gives the same records in the same order.
 *
 * <p>A poll that comes upon a piece brings the records before it; the next brings nothing but the piece, and the one
 * after that goes on. So no record is stored with a position behind a piece that was not yet told.
 *
 * <p>Holds two arrays of a mebibyte, and at most four for fragments; a poll allocates nothing, but for pieces.
 */
public final class PcapFeed implements Feed {

    private static final int BATCH_BYTES = 1 << 20;

    /** What one poll reads of a capture that holds no records, in bytes: the pipeline wants to be asked to stop. */
    private static final long POLL_BYTES = 32L << 20;

    private final Path path;
    private final PortFilter ports;
    private final DatagramFramer framer;
    private final @Nullable Pace pace;
    private final PcapCounters counters = new PcapCounters();
    private final byte[] bytes;
    private final int[] bounds;
    private @Nullable CaptureReader capture;
    private @Nullable RecordReader records;
    private RecordReader.@Nullable Next ahead;
    private @Nullable IOException failure;
    private @Nullable Piece piece;
    private long position;
    private volatile long lag;

    /**
     * @param path the capture
     * @param ports of the datagrams that are looked at
     * @param framer says which of those are records
     * @param speed how many times faster than they were captured records are brought, 0 for as fast as they are taken
     * @param batchRecords the most records that one poll brings
     */
    public PcapFeed(Path path, PortFilter ports, DatagramFramer framer, double speed, int batchRecords) {
        this(path, ports, framer, speed, batchRecords, System::nanoTime);
    }

    /** @param clock that paces the records, in nanoseconds */
    PcapFeed(Path path, PortFilter ports, DatagramFramer framer, double speed, int batchRecords, LongSupplier clock) {
        this.path = path;
        this.ports = ports;
        this.framer = framer;
        this.pace = speed == 0 ? null : new Pace(speed, clock);
        this.bytes = new byte[Math.max(BATCH_BYTES, framer.longest())];
        this.bounds = new int[batchRecords + 1];
    }

    @Override
    public void open(long from) throws IOException {
        CaptureReader opened = Captures.open(path);
        capture = opened;
        RecordReader reader = new RecordReader(new DatagramReader(opened, ports, counters), framer, counters);
        records = reader;
        position = 0;
        ahead = null;
        failure = null;
        piece = null;
        while (position < from) {
            switch (reader.next(Long.MAX_VALUE)) {
                case RECORD, PIECE -> position++;
                case PAUSE, END ->
                    throw new EOFException("file=" + path + " holds " + position + " records, but they were read up to "
                            + from + ": it is not the file that this pipeline began with");
            }
        }
        lag = opened.left();
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        CaptureReader open = capture;
        RecordReader reader = records;
        if (open == null || reader == null) {
            throw new IllegalStateException("the feed is not open");
        }
        long readUpTo = open.position() + POLL_BYTES;
        int count = 0;
        while (look(reader, readUpTo) == RecordReader.Next.RECORD
                && count + 1 < bounds.length
                && reader.length() <= bytes.length - bounds[count]
                && isDue(reader, count == 0 ? maxWait : Duration.ZERO)) {
            System.arraycopy(reader.bytes(), reader.offset(), bytes, bounds[count], reader.length());
            bounds[count + 1] = bounds[count] + reader.length();
            count++;
            ahead = null;
        }
        lag = open.left();
        if (count > 0) {
            batch.fill(bytes, bounds, count, position);
            position += count;
            return Poll.RECORDS;
        }
        return withoutRecords(reader);
    }

    /** What comes next; the same again until it was taken. A failure is told only when what came before it was. */
    private RecordReader.@Nullable Next look(RecordReader reader, long readUpTo) {
        if (ahead == null && failure == null) {
            try {
                ahead = reader.next(readUpTo);
            } catch (IOException e) {
                failure = e;
            }
        }
        return ahead;
    }

    private Poll withoutRecords(RecordReader reader) throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (ahead == RecordReader.Next.END) {
            return Poll.END;
        }
        if (ahead == RecordReader.Next.PIECE) {
            piece = reader.piece(position);
            position++;
        }
        if (ahead != RecordReader.Next.RECORD) {
            ahead = null;
        }
        return Poll.NOTHING_YET;
    }

    private boolean isDue(RecordReader reader, Duration maxWait) {
        if (pace == null) {
            return true;
        }
        long wait = pace.waitNanos(reader.nanos());
        if (wait > 0) {
            LockSupport.parkNanos(Math.min(wait, maxWait.toNanos()));
            wait = pace.waitNanos(reader.nanos());
        }
        return wait <= 0;
    }

    @Override
    public @Nullable Piece takePiece() {
        Piece taken = piece;
        piece = null;
        return taken;
    }

    @Override
    public Map<String, Counter> counts() {
        return counters.byName();
    }

    @Override
    public long lag() {
        return lag;
    }

    @Override
    public boolean replayable() {
        return true;
    }

    /** Identifies the file by its bytes: the position counts records. */
    @Override
    public String identity(long read) throws IOException {
        CaptureReader open = capture;
        if (open == null) {
            throw new IllegalStateException("the feed is not open");
        }
        return open.identity();
    }

    @Override
    public void verify(String identity) throws IOException {
        FileIdentity.verify(path, identity);
    }

    @Override
    public void close() throws IOException {
        if (capture != null) {
            capture.close();
        }
    }
}
