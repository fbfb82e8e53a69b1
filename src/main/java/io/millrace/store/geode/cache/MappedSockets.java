package io.millrace.store.geode.cache;

import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.geode.guard.SocketBuffers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.Map;
import org.apache.geode.cache.client.SocketFactory;

/**
 * A client's sockets, which connect to mapped addresses and have {@linkplain SocketBuffers larger buffers} than
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
        return new Socket() {
            @Override
            public void connect(SocketAddress endpoint, int timeout) throws IOException {
                super.connect(endpoint instanceof InetSocketAddress target ? reached(target) : endpoint, timeout);
            }

            @Override
            public synchronized void setSendBufferSize(int ofHeapBuffer) throws SocketException {
                super.setSendBufferSize(SocketBuffers.BYTES);
            }

            @Override
            public synchronized void setReceiveBufferSize(int ofHeapBuffer) throws SocketException {
                super.setReceiveBufferSize(SocketBuffers.BYTES);
            }
        };
    }

    private InetSocketAddress reached(InetSocketAddress advertised) {
        Address address = reachedAt.get(new Address(advertised.getHostString(), advertised.getPort()));
        return address == null ? advertised : new InetSocketAddress(address.host(), address.port());
    }
}
