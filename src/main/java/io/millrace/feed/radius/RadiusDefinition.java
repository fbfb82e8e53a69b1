package io.millrace.feed.radius;

import io.millrace.feed.FairShare;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedEnd;
import io.millrace.feed.radius.packet.RadiusPacket;
import io.millrace.schema.Schema;
import java.time.Duration;
import java.util.List;

/**
 * A feed of RADIUS accounting requests as configured. Requests are acknowledged after they are stored.
 *
 * @param address to listen on: a literal or a host name
 * @param port to listen on, 0 for any free port
 * @param clients that may send requests
 * @param duplicateWindow time after the response for which a repeated request is answered again
 * @param duplicateCacheSize maximum number of requests in the duplicate cache; a power of two, at least
 *     {@code maxPendingRequests}
 * @param maxPendingRequests maximum number of requests that are queued and not answered yet; a power of two
 * @param maxPendingOctets maximum number of octets of the pending requests together, at least 4096
 * @param sharePerClient share of the pending requests and of the duplicate cache, of what others leave free, that one
 *     address may use, and one client if there are several
 * @param maxResponseDelay age of the oldest pending request above which Status-Server queries are not answered
 * @param receiveBuffer requested size of the socket receive buffer of the operating system, in octets
 */
public record RadiusDefinition(
        String address,
        int port,
        List<RadiusClient> clients,
        Duration duplicateWindow,
        int duplicateCacheSize,
        int maxPendingRequests,
        int maxPendingOctets,
        FairShare sharePerClient,
        Duration maxResponseDelay,
        int receiveBuffer)
        implements FeedDefinition {

    public RadiusDefinition {
        clients = List.copyOf(clients);
        if (duplicateCacheSize < maxPendingRequests) {
            throw new IllegalArgumentException("Invalid duplicateCacheSize '" + duplicateCacheSize
                    + "'. Use at least maxPendingRequests, " + maxPendingRequests + ".");
        }
        if (maxPendingOctets < RadiusPacket.LONGEST) {
            throw new IllegalArgumentException("Invalid maxPendingOctets '" + maxPendingOctets
                    + "'. Use at least the longest packet, " + RadiusPacket.LONGEST + ".");
        }
    }

    @Override
    public FeedEnd end() {
        return FeedEnd.NEVER;
    }

    @Override
    public String describe() {
        return "RADIUS at " + address + ":" + port;
    }

    @Override
    public void check(Schema schema, FeedCheck check) {
        requirePackets("radius", schema, check);
    }

    /** Requires a schema of packets, whose length varies. */
    static void requirePackets(String kind, Schema schema, FeedCheck check) {
        if (!schema.layout().variesInLength() || schema.layout().nests()) {
            check.schemaProblem("Schema '" + schema.name() + "' does not describe packets, but the feed '" + kind
                    + "' delivers packets. Use a schema of the tagged layout.");
        }
    }

    @Override
    public Feed create(FeedContext context) {
        return new RadiusFeed(this, context.batchRecords());
    }

    /**
     * Returns the share that all addresses of one client may use of what other clients leave free. A single client may
     * use everything.
     */
    FairShare shareOfClient() {
        return clients.size() > 1 ? sharePerClient : new FairShare(1);
    }
}
