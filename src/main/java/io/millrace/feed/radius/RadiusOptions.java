package io.millrace.feed.radius;

import io.millrace.feed.FairShare;
import java.time.Duration;
import java.util.List;

/**
 * How RADIUS accounting is received.
 *
 * @param address to listen on: a literal or a host name
 * @param port to listen on, 0 for any that is free
 * @param clients who may send
 * @param duplicateWindow how long the answer to a request is sent again when the request comes again
 * @param duplicateCacheSize the most requests that are remembered for that; a power of two, no less than those waiting
 * @param maxPendingRequests the most requests that wait to be stored and answered; a power of two
 * @param maxPendingOctets the most octets of these together, and of no request less than 4096
 * @param sharePerClient the part of waiting and of remembered requests that one address, and one of several clients,
 *     may take of what others leave
 * @param maxResponseDelay how long the oldest of them may wait before queries for the server's state are left
 *     unanswered
 * @param receiveBuffer octets that the operating system is asked to keep of what has not been read
 */
public record RadiusOptions(
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

    public RadiusOptions {
        clients = List.copyOf(clients);
        if (duplicateCacheSize < maxPendingRequests) {
            throw new IllegalArgumentException(
                    "duplicateCacheSize=" + duplicateCacheSize + " is below maxPendingRequests=" + maxPendingRequests);
        }
        if (maxPendingOctets < RadiusPacket.LONGEST) {
            throw new IllegalArgumentException(
                    "maxPendingOctets=" + maxPendingOctets + " has no room for a long packet");
        }
    }

    /** What all addresses of one client may take of what other clients leave. The only client may take everything. */
    FairShare shareOfClient() {
        return clients.size() > 1 ? sharePerClient : new FairShare(1);
    }
}
