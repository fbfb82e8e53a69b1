package io.millrace.store.geode.cluster;

import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.geode.cache.PortProbe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.SocketFactory;
import org.apache.geode.internal.serialization.DSCODE;

/** Asks a locator for its version, as each client does first. Joins no cluster. Stateless. */
public final class LocatorProbe {

    private LocatorProbe() {}

    /**
     * Requires that a locator answers.
     *
     * @param sockets creates connections, with or without TLS
     * @param timeout of the connection, and of the answer
     * @throws IOException if it does not
     */
    public static void requireAnswer(Address locator, SocketFactory sockets, Duration timeout) throws IOException {
        String refusal = "it does not answer as a locator";
        InetSocketAddress address = new InetSocketAddress(locator.host(), locator.port());
        try (Socket socket = sockets.createSocket()) {
            if (address.isUnresolved()) {
                refusal = "unknown host";
            } else {
                int millis = Math.toIntExact(timeout.toMillis());
                socket.connect(address, millis);
                socket.setSoTimeout(millis);
                socket.getOutputStream().write(PortProbe.versionRequest());
                if (socket.getInputStream().read() == DSCODE.DATA_SERIALIZABLE.toByte()) {
                    return;
                }
            }
        } catch (IOException e) {
            refusal = e.getMessage();
        }
        throw new IOException("No locator at " + locator.host() + ":" + locator.port() + ": " + refusal
                + ". Check the address, and 'millrace.geode.ssl-bundle'.");
    }
}
