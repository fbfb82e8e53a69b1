package io.millrace.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * RADIUS accounting requests over UDP.
 *
 * @param address to listen on
 * @param port to listen on
 * @param clients who may send requests
 * @param duplicateWindow how long an answer is sent again when its request comes again
 * @param duplicateCacheSize the most requests that are remembered for that
 * @param maxPendingRequests the most requests that wait to be stored and answered; those beyond are discarded
 * @param maxPendingBytes the most bytes of these together
 * @param maxSharePerClient how much of max-pending-requests, max-pending-bytes and remembered one address, and where
 *     there are several clients one of them, may take, as a percentage of what the others leave
 * @param maxResponseDelay how long the oldest of them may wait before Status-Server is left unanswered
 * @param receiveBuffer bytes that the operating system is asked to keep of what has not been read
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
     * Who may send requests. Of several whose ranges hold an address, the one with the longest prefix counts.
     *
     * @param address an address, or a range such as 10.0.0.0/8 or 2001:db8::/32
     * @param secret shared with these clients
     * @param secretFile file that holds the secret instead
     * @param acceptZeroAuthenticator whether requests that are not signed are taken too
     * @param requireMessageAuthenticator whether requests without a Message-Authenticator are discarded
     */
    public record ClientProperties(
            @Nullable String address,
            @Nullable String secret,
            @Nullable Path secretFile,
            @DefaultValue("false") boolean acceptZeroAuthenticator,
            @DefaultValue("false") boolean requireMessageAuthenticator) {

        /** Without the secret. */
        @Override
        public String toString() {
            return "ClientProperties[address=" + address + "]";
        }
    }
}
