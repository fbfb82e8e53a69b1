package io.millrace.store.geode.cache;

import io.millrace.store.geode.cache.ClusterOptions.Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Map;
import org.apache.geode.cache.client.SocketFactory;

/**
 * A client's sockets, which connect to mapped addresses and have {@linkplain LargeBufferSocket larger buffers} than
 * Geode's. Members advertise addresses of their own network; in a container network, only ports that are mapped to
 * others can be reached from outside. Thread-safe.
 */
final class MappedSockets implements SocketFactory {

    private final Map<Address, Address> reachedAt;

    /** @param reachedAt addresses to connect to by advertised address; other addresses are used as advertised */
    MappedSockets(Map<Address, Address> reachedAt) {
        this.reachedAt = Map.copyOf(reachedAt);
    }

    @Override
    public Socket createSocket() {
        return new LargeBufferSocket() {
            @Override
            public void connect(SocketAddress endpoint, int timeout) throws IOException {
                super.connect(endpoint instanceof InetSocketAddress target ? reached(target) : endpoint, timeout);
            }
        };
    }

    private InetSocketAddress reached(InetSocketAddress advertised) {
        Address address = reachedAt.get(new Address(advertised.getHostString(), advertised.getPort()));
        return address == null ? advertised : new InetSocketAddress(address.host(), address.port());
    }
}
