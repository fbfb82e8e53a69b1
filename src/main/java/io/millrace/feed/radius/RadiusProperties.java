package io.millrace.feed.radius;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of a feed of RADIUS accounting requests over UDP.
 *
 * @param address address to listen on; 0.0.0.0 for all
 * @param port UDP port to listen on
 * @param clients clients that may send requests
 * @param duplicateWindow time after the response for which a repeated request is answered again
 * @param duplicateCacheSize maximum number of requests in the duplicate cache
 * @param maxPendingRequests maximum number of requests that are queued and not answered yet; further ones are discarded
 * @param maxPendingBytes maximum number of bytes of the pending requests together
 * @param maxSharePerClient share of max-pending-requests, max-pending-bytes and duplicate-cache-size, as a percentage
 *     of what others leave free, that one address may use, and one client if there are several
 * @param maxResponseDelay age of the oldest pending request above which Status-Server queries are not answered
 * @param receiveBuffer requested size of the socket receive buffer of the operating system
 */
public record RadiusProperties(
        @DefaultValue("127.0.0.1") String address,
        @DefaultValue("1813") int port,
        @DefaultValue List<ClientProperties> clients,
        @DefaultValue("10s") Duration duplicateWindow,
        @DefaultValue("262144") int duplicateCacheSize,
        @DefaultValue("65536") int maxPendingRequests,
        @DefaultValue("16MB") DataSize maxPendingBytes,
        @DefaultValue("75%") String maxSharePerClient,
        @DefaultValue("1s") Duration maxResponseDelay,
        @DefaultValue("4MB") DataSize receiveBuffer) {

    /**
     * A client that may send requests. If the ranges of several clients contain an address, the longest prefix wins.
     *
     * @param address an address, or a range such as 10.0.0.0/8 or 2001:db8::/32
     * @param secret shared secret of these clients; either it or secret-file is set
     * @param secretFile path of a file that contains the shared secret
     * @param acceptZeroAuthenticator whether requests that are not signed are accepted
     * @param requireMessageAuthenticator whether requests without a Message-Authenticator are discarded
     */
    public record ClientProperties(
            @Nullable String address,
            @Nullable String secret,
            @Nullable Path secretFile,
            @DefaultValue("false") boolean acceptZeroAuthenticator,
            @DefaultValue("false") boolean requireMessageAuthenticator) {

        /** Returns a text without the secret. */
        @Override
        public String toString() {
            return "ClientProperties[address=" + address + "]";
        }
    }
}
