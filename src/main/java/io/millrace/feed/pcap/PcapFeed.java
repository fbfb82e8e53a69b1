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
 * A feed of records in the UDP datagrams of a capture file, pcap or pcapng. Ends at the end of the file at the time of
 * reading.
 *
 * <p>A position counts records and {@linkplain Feed.Piece pieces} from the start of the file, so that each has its own
 * position. The feed is replayable: it finds a position by reading again from the start, which returns the same records
 * in the same order.
 *
 * <p>A poll that reaches a piece returns the records before it; the next poll delivers only the piece, and the poll
 * after that continues. Thus no record after a piece is stored before the piece is reported.
 *
 * <p>Allocates two arrays of a mebibyte, and at most four mebibytes for fragments; a poll allocates only for pieces.
 */
public final class PcapFeed implements Feed {

    private static final int BATCH_BYTES = 1 << 20;

    /**
     * Maximum number of bytes that one poll reads while it finds no record, so that the pipeline can stop in between.
     */
    private static final long POLL_BYTES = 32L << 20;

    private final Path path;
    private final FileIdentity identity;
    private final PortFilter ports;
    private final DatagramFramer framer;
    private final @Nullable Pace pace;
    private final PcapCounters counters = new PcapCounters();
    private final byte[] bytes;
    private final int[] bounds;
    private @Nullable CaptureReader capture;
    private @Nullable CapturedRecords records;
    private CapturedRecords.@Nullable Next lookahead;
    private @Nullable IOException failure;
    private @Nullable Piece piece;
    private long position;
    private volatile long lag;

    /**
     * @param path of the capture
     * @param ports filter of the datagrams to read
     * @param framer decides which of these are records
     * @param speed factor by which records arrive faster than they were captured; 0 for as fast as they are polled
     * @param batchRecords maximum number of records per poll
     */
    public PcapFeed(Path path, PortFilter ports, DatagramFramer framer, double speed, int batchRecords) {
        this(path, ports, framer, speed, batchRecords, System::nanoTime);
    }

    /** @param clock paces the records, in nanoseconds */
    PcapFeed(Path path, PortFilter ports, DatagramFramer framer, double speed, int batchRecords, LongSupplier clock) {
        this.path = path;
        this.identity = new FileIdentity(path);
        this.ports = ports;
        this.framer = framer;
        this.pace = speed == 0 ? null : new Pace(speed, clock);
        this.bytes = new byte[Math.max(BATCH_BYTES, framer.longest())];
        this.bounds = new int[batchRecords + 1];
    }

    @Override
    public void open(long startPosition) throws IOException {
        CaptureReader opened = Captures.open(path, identity);
        capture = opened;
        CapturedRecords reader = new CapturedRecords(new DatagramReader(opened, ports, counters), framer, counters);
        records = reader;
        position = 0;
        lookahead = null;
        failure = null;
        piece = null;
        while (position < startPosition) {
            switch (reader.next(Long.MAX_VALUE)) {
                case RECORD, PIECE -> position++;
                case PAUSE, END ->
                    throw new EOFException("File '" + path + "' has " + position
                            + " records, but its records were read up to record " + startPosition
                            + ". Use the file that this pipeline began with.");
            }
        }
        opened.endBatch();
        lag = opened.left();
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        CaptureReader open = capture;
        CapturedRecords reader = records;
        if (open == null || reader == null) {
            throw new IllegalStateException("The feed is not open.");
        }
        long readUpTo = open.position() + POLL_BYTES;
        int count = 0;
        while (peek(reader, readUpTo) == CapturedRecords.Next.RECORD
                && count + 1 < bounds.length
                && reader.length() <= bytes.length - bounds[count]
                && isDue(reader, count == 0 ? maxWait : Duration.ZERO)) {
            System.arraycopy(reader.bytes(), reader.offset(), bytes, bounds[count], reader.length());
            bounds[count + 1] = bounds[count] + reader.length();
            count++;
            lookahead = null;
        }
        lag = open.left();
        if (count > 0) {
            open.endBatch();
            batch.fill(bytes, bounds, count, position);
            position += count;
            return Poll.RECORDS;
        }
        return withoutRecords(reader);
    }

    /**
     * Returns the next item without consuming it; null after a failure, which is thrown once the items before it are
     * consumed.
     */
    private CapturedRecords.@Nullable Next peek(CapturedRecords reader, long readUpTo) {
        if (lookahead == null && failure == null) {
            try {
                lookahead = reader.next(readUpTo);
            } catch (IOException e) {
                failure = e;
            }
        }
        return lookahead;
    }

    private Poll withoutRecords(CapturedRecords reader) throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (lookahead == CapturedRecords.Next.END) {
            return Poll.END;
        }
        if (lookahead == CapturedRecords.Next.PIECE) {
            piece = reader.piece(position);
            position++;
        }
        if (lookahead != CapturedRecords.Next.RECORD) {
            lookahead = null;
        }
        return Poll.NOTHING_YET;
    }

    private boolean isDue(CapturedRecords reader, Duration maxWait) {
        if (pace == null) {
            return true;
        }
        long waitNanos = pace.waitNanos(reader.nanos());
        if (waitNanos > 0) {
            LockSupport.parkNanos(Math.min(waitNanos, maxWait.toNanos()));
            waitNanos = pace.waitNanos(reader.nanos());
        }
        return waitNanos <= 0;
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

    /** Identifies the file by the bytes read so far, not by the position, which counts records. */
    @Override
    public String identity(long read) throws IOException {
        return identity.at(identity.endOfBatch());
    }

    @Override
    public void verify(String before) throws IOException {
        identity.verify(before);
    }

    @Override
    public void close() throws IOException {
        if (capture != null) {
            capture.close();
        }
    }
}
