package io.millrace.store.geode;

import io.millrace.store.geode.ClusterOptions.Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Map;
import org.apache.geode.cache.client.SocketFactory;

/**
 * Sockets of a client that connect to where an address is reached from here. Members tell addresses of their own
 * network; of a network of containers, only ports that are mapped to others can be reached from outside. Thread-safe.
 */
final class MappedSockets implements SocketFactory {

    private final Map<Address, Address> reachedAt;

    /** @param reachedAt where addresses that members tell are reached; others are as they are told */
    MappedSockets(Map<Address, Address> reachedAt) {
        this.reachedAt = Map.copyOf(reachedAt);
    }

    @Override
    public Socket createSocket() {
        return new Socket() {
            @Override
            public void connect(SocketAddress endpoint, int timeout) throws IOException {
                super.connect(endpoint instanceof InetSocketAddress told ? reached(told) : endpoint, timeout);
            }
        };
    }

    private InetSocketAddress reached(InetSocketAddress told) {
        Address address = reachedAt.get(new Address(told.getHostString(), told.getPort()));
        return address == null ? told : new InetSocketAddress(address.host(), address.port());
    }
}
