package io.millrace.feed.tcp;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.schema.Schema;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records that senders bring over TCP connections. Senders are read in turn, and so are the connections of each, a
 * share of a batch at a time, so that a quick sender does not keep a slow one waiting; the order within a connection is
 * kept. Bytes go from the network's buffers to one array that is used again, without an object for each record.
 *
 * <p>What is not polled is not read: at a bounded number of waiting bytes reading from the network stops, and the
 * senders wait. Not replayable; but where {@linkplain TcpOptions#acknowledgeEvery() asked for}, each sender is told how
 * many of its records are stored:
 *
 * <pre>
 * 0               8
 * | records stored |    of this connection, from its first on, cumulative; big-endian
 * </pre>
 *
 * A sender that closes its output gets the last count, then the connection's end.
 *
 * <p>One thread opens, polls and closes; the counters, {@link #lag()} and {@link #port()} are for any.
 */
public final class TcpFeed implements Feed {

    private static final Logger LOG = LoggerFactory.getLogger(TcpFeed.class);

    /** So many connections share a batch at least, where that many have something. */
    private static final int SHARES = 8;

    private final TcpOptions options;
    private final @Nullable SslContext tls;
    private final Framer framer;
    private final int longestRecord;
    private final int share;
    private final BatchBuffer buffer;
    private final ReadLimits readLimits;
    private final IncompleteRecords incompleteRecords;
    private final TcpCounters counters = new TcpCounters();
    private final Acknowledgements acknowledgements;
    private final Connections connections;
    private volatile @Nullable TcpListener listener;

    /**
     * @param schema of the records; of a base length of 0 where they vary
     * @param tls what connections are to be secured with, or null for plain ones
     * @param batchRecords the most records that one poll brings
     */
    public TcpFeed(TcpOptions options, @Nullable SslContext tls, Schema schema, int batchRecords) {
        TcpLimits limits = options.limits();
        this.options = options;
        this.tls = tls;
        this.framer = options.framing().framer(schema.baseLength());
        this.longestRecord = options.framing() instanceof Framing.Fixed ? schema.baseLength() : limits.recordLength();
        this.share = Math.max(1, batchRecords / SHARES);
        this.buffer =
                new BatchBuffer(schema, batchRecords, Math.addExact(longestRecord, framer.head() + framer.tail()));
        this.readLimits = new ReadLimits(limits);
        this.incompleteRecords = new IncompleteRecords(limits);
        this.acknowledgements = new Acknowledgements(options.acknowledgeEvery());
        this.connections = new Connections(limits, readLimits, counters, this::connection);
    }

    private TcpConnection connection(Sender sender, Channel channel) {
        Peer peer = new Peer(channel.remoteAddress());
        return new TcpConnection(
                channel,
                sender,
                new Arrivals(sender.held(), readLimits.heldByAll()),
                new FrameReader(framer, longestRecord, peer, sender, incompleteRecords),
                peer);
    }

    /** Listens; a position means nothing here. */
    @Override
    public void open(long position) throws IOException {
        TcpListener opened = new TcpListener(options, tls, connections);
        listener = opened;
        LOG.info("listens on {} port {}", options.host(), opened.port());
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) {
        buffer.clear();
        acknowledgements.whereQuiet();
        try {
            TcpConnection next = connections.next(maxWait);
            while (next != null) {
                turn(next);
                next = buffer.full() ? null : connections.next();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (buffer.count() == 0) {
            return Poll.NOTHING_YET;
        }
        buffer.show(batch);
        return Poll.RECORDS;
    }

    private void turn(TcpConnection connection) {
        boolean wasFinished = connection.finished();
        long before = connection.count().taken();
        if (connection.take(buffer, share)) {
            connections.enqueue(connection);
        }
        readLimits.removed(connection);
        counters.records().add(connection.count().taken() - before);
        if (!wasFinished) {
            acknowledgements.took(connection);
            if (connection.finished()) {
                connections.partEnded(connection);
            }
        }
    }

    @Override
    public @Nullable Piece takePiece() {
        return buffer.takePiece();
    }

    @Override
    public boolean answers() {
        return acknowledgements.wanted();
    }

    @Override
    public void stored() {
        acknowledgements.stored();
    }

    /** Bytes of memory that hold what was received and not polled yet. */
    @Override
    public long lag() {
        return readLimits.heldByAll().get();
    }

    @Override
    public boolean replayable() {
        return false;
    }

    /** The port that it listens on, or 0 as long as it does not. */
    public int port() {
        TcpListener opened = listener;
        return opened == null ? 0 : opened.port();
    }

    /** Connections that are open, or have something left to be polled. */
    public int openConnections() {
        return connections.open();
    }

    public TcpCounters counters() {
        return counters;
    }

    @Override
    public void close() {
        TcpListener opened = listener;
        if (opened != null) {
            opened.stopAccepting();
            connections.closeAll();
            opened.close();
            connections.clear();
            listener = null;
        }
    }
}
