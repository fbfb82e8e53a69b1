package io.millrace.feed.radius;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A feed of RADIUS accounting. An Accounting-Request is a record: the octets of the packet without padding. The feed
 * answers a request once it is {@linkplain #stored() stored}, never before (RFC 2866, section 2). While the store
 * fails, the feed answers nothing, queues requests up to a limit and discards the rest, so that clients retransmit
 * them.
 *
 * <p>The network thread checks packets and sends responses; the pipeline thread polls. Once the feed is open, neither
 * thread allocates more per request than Netty does per datagram. Not replayable: clients retransmit requests that were
 * not answered.
 */
public final class RadiusFeed implements Feed {

    private static final Logger LOG = LoggerFactory.getLogger(RadiusFeed.class);

    /** Octets of the buffer for one poll's records. */
    private static final int BATCH_OCTETS = 1 << 20;

    private final RadiusSettings definition;
    private final RadiusCounters counters = new RadiusCounters();
    private final RequestQueue queue;
    private final DatagramHandler handler;
    private final byte[] bytes = new byte[BATCH_OCTETS];
    private final int[] bounds;
    private volatile @Nullable RadiusSocket socket;

    /**
     * Creates the feed; {@link #open} binds the socket.
     *
     * @param batchRecords maximum number of records per poll
     */
    public RadiusFeed(RadiusSettings definition, int batchRecords) {
        this.definition = definition;
        this.queue = new RequestQueue(
                definition.maxPendingRequests(),
                definition.maxPendingOctets(),
                definition.sharePerClient(),
                definition.shareOfClient());
        this.handler = new DatagramHandler(definition, queue, counters);
        this.bounds = new int[batchRecords + 1];
    }

    @Override
    public void open(long position) throws IOException {
        RadiusSocket opened = RadiusSocket.bind(definition, handler);
        socket = opened;
        LOG.info("RADIUS feed is listening: address={}", opened.address());
    }

    /** Returns the address and port that the open feed listens on. Thread-safe. */
    public InetSocketAddress address() {
        return socket().address();
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        if (!socket().isOpen()) {
            throw new IOException("The socket of " + definition.address() + ":" + definition.port() + " was closed.");
        }
        if (!queue.await(maxWait.toNanos())) {
            return Poll.NOTHING_YET;
        }
        int count = queue.take(bytes, bounds);
        batch.fill(bytes, bounds, count, RecordBatch.NO_POSITION);
        return Poll.RECORDS;
    }

    @Override
    public boolean wake() {
        queue.endWait();
        return true;
    }

    @Override
    public boolean answers() {
        return true;
    }

    @Override
    public void stored() {
        queue.storedAllTaken();
        handler.answerSoon();
    }

    @Override
    public Map<String, Counter> counts() {
        return counters.byName();
    }

    @Override
    public long lag() {
        return queue.octetsToTake();
    }

    @Override
    public boolean replayable() {
        return false;
    }

    /** Answers the stored requests, then closes the socket. */
    @Override
    public void close() {
        RadiusSocket open = socket;
        if (open != null) {
            if (open.isOpen()) {
                handler.answerNow();
            }
            open.close();
        }
    }

    private RadiusSocket socket() {
        RadiusSocket open = socket;
        if (open == null) {
            throw new IllegalStateException("The feed is not open.");
        }
        return open;
    }
}
