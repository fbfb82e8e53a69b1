package io.millrace.feed.radius;

import io.millrace.background.LogLimit;
import io.millrace.codec.Counter;
import io.millrace.feed.SourceNetwork;
import io.millrace.feed.radius.packet.PacketDigest;
import java.net.InetSocketAddress;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes the datagrams of one socket: checks them, adds requests to the queue, answers stored requests, repeated
 * requests and Status-Server queries. Discards and counts all other datagrams without an answer.
 *
 * <p>Runs on the network thread. Allocates the sender's address bytes per datagram, and a {@link Source} for an address
 * that has no requests in the duplicate cache.
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
    private final long maxResponseDelayNanos;
    private final LongSupplier clock;
    private final PacketCheck check;
    private final ResponseWriter responses;
    private final RequestQueue.Answerer answerer = this::answer;

    /**
     * @param queue receives admitted requests
     * @param outlet sends responses
     * @param clock nanoseconds since an arbitrary origin
     */
    AccountingServer(
            RadiusSettings definition, RequestQueue queue, RadiusCounters counters, Outlet outlet, LongSupplier clock) {
        this.clients = new ClientTable(definition.clients());
        this.queue = queue;
        this.sources = new Sources(definition.clients());
        this.duplicates = new DuplicateCache(
                definition.duplicateCacheSize(),
                definition.duplicateWindow().toNanos(),
                definition.sharePerClient(),
                definition.shareOfClient(),
                sources);
        this.counters = counters;
        this.outlet = outlet;
        this.maxResponseDelayNanos = definition.maxResponseDelay().toNanos();
        this.clock = clock;
        PacketDigest digest = new PacketDigest();
        this.check = new PacketCheck(digest);
        this.responses = new ResponseWriter(digest);
    }

    /**
     * Processes the datagram at the start of the array.
     *
     * @param received octets received, at most 4096: the rest of a longer datagram is cut off
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
            refused = check.isStatus() ? status(datagram, sender, client) : admit(datagram, high, low, sender, client);
        }
        if (refused != null) {
            discard(refused);
        }
    }

    private @Nullable Discard status(byte[] packet, InetSocketAddress sender, RadiusClient client) {
        if (queue.oldestNanos(clock.getAsLong()) > maxResponseDelayNanos) {
            return Discard.NOT_READY;
        }
        int length = responses.answerStatus(packet, 0, client.secret());
        return sendNow(length, sender, counters.status);
    }

    private @Nullable Discard admit(byte[] packet, long high, long low, InetSocketAddress sender, RadiusClient client) {
        long now = clock.getAsLong();
        int port = sender.getPort();
        Source source = sources.get(high, SourceNetwork.low(high, low), client);
        int entry = duplicates.find(check.digestHigh(), check.digestLow(), source, low, port, now);
        if (entry == Holding.NONE) {
            Discard refused = queue.add(packet, check.length(), sender, source, now);
            if (refused != null) {
                return refused == Discard.CLIENT_OVERLOAD ? warnOverload(source, now) : refused;
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

    private Discard warnOverload(Source source, long now) {
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

    /** Sends a response unless the outlet is full. The client then retransmits its request. */
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

    /** Answers stored requests while the outlet accepts responses. */
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

    private void answer(byte[] packet, int offset, int length, InetSocketAddress sender, RadiusClient client) {
        int responseLength = responses.answerAccounting(packet, offset, length, client.secret());
        outlet.send(responses.bytes(), responseLength, sender);
    }

    /** Sends responses. Called on the network thread. */
    interface Outlet {

        /** Returns whether the outlet accepts another response. */
        boolean isOpen();

        /** Sends a copy of the octets. */
        void send(byte[] octets, int length, InetSocketAddress recipient);
    }
}
