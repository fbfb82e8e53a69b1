package io.millrace.feed.radius;

import io.millrace.background.LogLimit;
import io.millrace.codec.Counter;
import io.millrace.feed.SourceNetwork;
import java.net.InetSocketAddress;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of the datagrams of one socket: checks them, admits requests to the queue, answers those that are
 * stored, those that come again, and queries for the server's state. All else is discarded in silence, and counted.
 *
 * <p>Belongs to the network's thread. Allocates nothing itself but a sender's address in bytes, and what is known of an
 * address whose requests are not remembered yet.
 */
final class AccountingServer {

    private static final Logger LOG = LoggerFactory.getLogger(AccountingServer.class);

    private final ClientTable clients;
    private final RequestQueue queue;
    private final Sources sources;
    private final DuplicateCache duplicates;
    private final LogLimit overloadWarnings = new LogLimit();
    private final RadiusCounters counters;
    private final Outlet outlet;
    private final long readyNanos;
    private final LongSupplier clock;
    private final PacketCheck check;
    private final ResponseWriter responses;
    private final RequestQueue.Answerer answerer = this::answer;

    /**
     * @param queue where admitted requests go
     * @param outlet takes responses
     * @param clock nanoseconds, of any origin
     */
    AccountingServer(
            RadiusOptions options, RequestQueue queue, RadiusCounters counters, Outlet outlet, LongSupplier clock) {
        this.clients = new ClientTable(options.clients());
        this.queue = queue;
        this.sources = new Sources(options.clients());
        this.duplicates = new DuplicateCache(
                options.duplicateCacheSize(),
                options.duplicateWindow().toNanos(),
                options.sharePerClient(),
                options.shareOfClient(),
                sources);
        this.counters = counters;
        this.outlet = outlet;
        this.readyNanos = options.maxResponseDelay().toNanos();
        this.clock = clock;
        PacketDigest digest = new PacketDigest();
        this.check = new PacketCheck(digest);
        this.responses = new ResponseWriter(digest);
    }

    /**
     * Deals with the datagram at the array's beginning.
     *
     * @param received how many octets came, or 4096 of those where more did
     */
    void receive(byte[] datagram, int received, InetSocketAddress sender) {
        counters.received.add(1);
        byte[] address = sender.getAddress().getAddress();
        long high = AddressRange.high(address);
        long low = AddressRange.low(address);
        RadiusClient client = clients.find(high, low);
        if (client == null) {
            discard(Discard.UNKNOWN_CLIENT);
            return;
        }
        Discard refused = check.check(datagram, received, client);
        if (refused == null) {
            refused = check.isStatus() ? tell(datagram, sender, client) : take(datagram, high, low, sender, client);
        }
        if (refused != null) {
            discard(refused);
        }
    }

    private @Nullable Discard tell(byte[] packet, InetSocketAddress sender, RadiusClient client) {
        if (queue.oldestNanos(clock.getAsLong()) > readyNanos) {
            return Discard.NOT_READY;
        }
        int length = responses.answerStatus(packet, 0, client.secret());
        return sendNow(length, sender, counters.status);
    }

    private @Nullable Discard take(byte[] packet, long high, long low, InetSocketAddress sender, RadiusClient client) {
        long now = clock.getAsLong();
        int port = sender.getPort();
        Source source = sources.get(high, SourceNetwork.low(high, low), client);
        int entry = duplicates.find(check.digestHigh(), check.digestLow(), source, low, port, now);
        if (entry == Holding.NONE) {
            Discard refused = queue.add(packet, check.length(), sender, source, now);
            if (refused != null) {
                return refused == Discard.CLIENT_OVERLOAD ? warn(source, now) : refused;
            }
            duplicates.add(check.digestHigh(), check.digestLow(), source, low, port, now);
            counters.admitted.add(1);
            return null;
        }
        if (!duplicates.isAnswered(entry)) {
            return Discard.IN_PROGRESS;
        }
        int length = responses.answerAccounting(packet, 0, check.length(), client.secret());
        return sendNow(length, sender, counters.repeated);
    }

    private Discard warn(Source source, long now) {
        long leftOut = overloadWarnings.next(now);
        if (leftOut != LogLimit.LEFT_OUT) {
            LOG.warn(
                    "Discarded a request, its sender has its share of those that wait: sender={} client={} leftOut={}."
                            + " Further ones are logged once a minute.",
                    new SourceNetwork(source.networkHigh(), source.networkLow()),
                    source.client().range(),
                    leftOut);
        }
        return Discard.CLIENT_OVERLOAD;
    }

    /** Sends a response that need not be sent: who gets none asks again. */
    private @Nullable Discard sendNow(int length, InetSocketAddress sender, Counter counter) {
        if (!outlet.isOpen()) {
            return Discard.UNSENT;
        }
        outlet.send(responses.bytes(), length, sender);
        counter.add(1);
        return null;
    }

    private void discard(Discard reason) {
        counters.discarded(reason).add(1);
    }

    /** Answers the requests that are stored, as many as the outlet takes. */
    void answerStored() {
        if (!queue.hasStored()) {
            return;
        }
        long now = clock.getAsLong();
        while (queue.hasStored() && outlet.isOpen()) {
            queue.answer(answerer);
            duplicates.answerNext(now);
            counters.answered.add(1);
        }
    }

    private void answer(byte[] packet, int at, int length, InetSocketAddress sender, RadiusClient client) {
        int response = responses.answerAccounting(packet, at, length, client.secret());
        outlet.send(responses.bytes(), response, sender);
    }

    /** Takes responses, on the network's thread. */
    interface Outlet {

        /** Whether it takes one more. */
        boolean isOpen();

        /** Sends octets, which it copies. */
        void send(byte[] octets, int length, InetSocketAddress to);
    }
}
