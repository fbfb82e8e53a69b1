package io.millrace.feed.tcp;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.frame.Framer;
import io.millrace.codec.frame.Framing;
import io.millrace.feed.FairShare;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedMeter;
import io.millrace.feed.tcp.TcpProperties.AcknowledgeProperties;
import io.millrace.schema.Schema;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A feed of records that senders transmit over TCP connections. Reads senders round-robin, and the connections of a
 * sender within its turns, a share of a batch at a time, so that a fast sender does not delay a slow one. Preserves the
 * order of records within a connection. Copies bytes from the network's buffers to one reused array, without an object
 * per record.
 *
 * <p>The feed applies backpressure: when the bytes that wait for a poll reach a limit, it stops reading from the
 * network. Not replayable. If {@linkplain TcpProperties#acknowledge() acknowledgements} are enabled, each sender
 * receives the number of its records that are stored:
 *
 * <pre>
 * 0               8
 * | records stored |    of this connection, from its first on, cumulative; big-endian
 * </pre>
 *
 * A sender that closes its output receives the final count before the connection is closed.
 *
 * <p>One thread opens, polls and closes; the counters, {@link #lag()} and {@link #port()} are thread-safe.
 */
public final class TcpFeed implements Feed {

    private static final Logger LOG = LoggerFactory.getLogger(TcpFeed.class);

    /** Minimum number of connections that share a batch, if that many have records. */
    private static final int SHARES = 8;

    private final TcpProperties properties;
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
     * @param properties valid ones
     * @param schema of the records, whose base length is 0 if records have variable lengths
     * @param tls secures the connections; null for plain connections
     * @param batchRecords maximum number of records per poll
     */
    public TcpFeed(TcpProperties properties, @Nullable SslContext tls, Schema schema, int batchRecords) {
        FairShare fairShare = FairShare.parse(properties.maxSharePerAddress(), _ -> {});
        long bufferBytes = properties.buffer().toBytes();
        int maxConnections = properties.maxConnections();
        Framing framing = properties.framingProperties().rule();
        this.properties = properties;
        this.tls = tls;
        this.framer = framing.framer(schema.baseLength());
        this.longestRecord = framing instanceof Framing.Fixed
                ? schema.baseLength()
                : Math.toIntExact(properties.maxRecordLength().toBytes());
        this.share = Math.max(1, batchRecords / SHARES);
        this.buffer =
                new BatchBuffer(schema, batchRecords, Math.addExact(longestRecord, framer.head() + framer.tail()));
        this.readLimits = new ReadLimits(properties.connectionBuffer().toBytes(), bufferBytes, fairShare);
        this.incompleteRecords = new IncompleteRecords(bufferBytes, fairShare);
        AcknowledgeProperties acknowledge = properties.acknowledge();
        this.acknowledgements = new Acknowledgements(acknowledge == null ? 0 : acknowledge.every());
        Senders senders = new Senders(
                maxConnections,
                Objects.requireNonNullElse(properties.maxConnectionsPerAddress(), maxConnections),
                fairShare);
        this.connections = new Connections(senders, readLimits, counters, this::connection);
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

    /** Opens the port; ignores the position. */
    @Override
    public void open(long position) throws IOException {
        int port = Objects.requireNonNull(properties.port());
        TcpListener opened = new TcpListener(properties.host(), port, tls, properties.idleTimeout(), connections);
        listener = opened;
        LOG.info("TCP feed is listening: host={} port={}", properties.host(), opened.port());
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) {
        buffer.clear();
        acknowledgements.whereQuiet();
        try {
            TcpConnection next = connections.next(acknowledgements.pollWait(maxWait));
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
        long takenBefore = connection.count().taken();
        if (connection.take(buffer, share)) {
            connections.enqueue(connection);
        }
        readLimits.removed(connection);
        counters.records().add(connection.count().taken() - takenBefore);
        if (!wasFinished) {
            acknowledgements.took(connection);
            if (connection.finished()) {
                connections.partEnded(connection);
            }
        }
    }

    @Override
    public boolean wake() {
        connections.wake();
        return true;
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

    /** Returns the memory of received but unread bytes. */
    @Override
    public long lag() {
        return readLimits.heldByAll().get();
    }

    @Override
    public boolean replayable() {
        return false;
    }

    /** Returns the port that the feed listens on, or 0 if it is closed. */
    public int port() {
        TcpListener opened = listener;
        return opened == null ? 0 : opened.port();
    }

    /** Returns the number of connections that are open or have records left to poll. */
    public int openConnections() {
        return connections.open();
    }

    public TcpCounters counters() {
        return counters;
    }

    @Override
    public List<FeedMeter> meters() {
        return TcpMeters.of(counters, this::openConnections);
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
