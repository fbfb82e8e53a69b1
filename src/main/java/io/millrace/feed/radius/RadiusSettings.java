package io.millrace.feed.radius;

import io.millrace.feed.FairShare;
import io.millrace.feed.radius.packet.RadiusPacket;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a feed of RADIUS accounting requests, checked. Requests are acknowledged after they are stored.
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
public record RadiusSettings(
        String address,
        int port,
        List<RadiusClient> clients,
        Duration duplicateWindow,
        int duplicateCacheSize,
        int maxPendingRequests,
        int maxPendingOctets,
        FairShare sharePerClient,
        Duration maxResponseDelay,
        int receiveBuffer) {

    public RadiusSettings {
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

    /**
     * Returns the share that all addresses of one client may use of what other clients leave free. A single client may
     * use everything.
     */
    FairShare shareOfClient() {
        return clients.size() > 1 ? sharePerClient : new FairShare(1);
    }
}
