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
 * RADIUS accounting as a feed: an Accounting-Request is a record, the packet's own octets without padding. It is
 * answered when it is {@linkplain #stored() stored}, never before (RFC 2866, section 2); while the store fails nothing
 * is answered, requests wait up to a bound, and those beyond it are discarded, so that the clients send them again.
 *
 * <p>Two threads share the work: the network's checks packets and sends answers, the pipeline's polls. Once open,
 * neither allocates for a request more than Netty does for a datagram. Not replayable: what was not answered is the
 * clients' to send again.
 */
public final class RadiusFeed implements Feed {

    private static final Logger LOG = LoggerFactory.getLogger(RadiusFeed.class);

    /** Octets of one poll's records. */
    private static final int BATCH_OCTETS = 1 << 20;

    private final RadiusOptions options;
    private final RadiusCounters counters = new RadiusCounters();
    private final RequestQueue queue;
    private final DatagramHandler handler;
    private final byte[] bytes = new byte[BATCH_OCTETS];
    private final int[] bounds;
    private volatile @Nullable RadiusSocket socket;

    /**
     * Opens nothing yet.
     *
     * @param batchRecords the most records that one poll brings
     */
    public RadiusFeed(RadiusOptions options, int batchRecords) {
        this.options = options;
        this.queue = new RequestQueue(
                options.maxPendingRequests(),
                options.maxPendingOctets(),
                options.sharePerClient(),
                options.shareOfClient());
        this.handler = new DatagramHandler(options, queue, counters);
        this.bounds = new int[batchRecords + 1];
    }

    @Override
    public void open(long position) throws IOException {
        RadiusSocket opened = RadiusSocket.bind(options, handler);
        socket = opened;
        LOG.info("takes RADIUS accounting on {}", opened.address());
    }

    /** The address and port that it listens on; any thread may ask once it is open. */
    public InetSocketAddress address() {
        return socket().address();
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        if (!socket().isOpen()) {
            throw new IOException("the socket of " + options.address() + ":" + options.port() + " was closed");
        }
        if (!queue.await(maxWait.toNanos())) {
            return Poll.NOTHING_YET;
        }
        int count = queue.take(bytes, bounds);
        batch.fill(bytes, bounds, count, RecordBatch.NO_POSITION);
        return Poll.RECORDS;
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

    /** Sends the answers to what is stored first. */
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
            throw new IllegalStateException("the feed is not open");
        }
        return open;
    }
}
