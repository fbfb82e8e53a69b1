package io.millrace.store.geode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.store.geode.cache.ClusterOptions.Address;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import org.apache.geode.cache.client.ClientCacheFactory;
import org.apache.geode.cache.client.Pool;
import org.junit.jupiter.api.Test;

class ClientSideCacheTest {

    /** A window of TCP without scaling has less than 64 KiB. */
    @Test
    void shouldConnectToServersWithLargeBuffers() throws IOException {
        // No locator is there: the client connects when it needs a server.
        try (ClientSideCache _ = new ClientSideCache(ClusterOptions.client(List.of(new Address("127.0.0.1", 1))))) {
            Pool pool =
                    Objects.requireNonNull(ClientCacheFactory.getAnyInstance().getDefaultPool());
            try (Socket socket = pool.getSocketFactory().createSocket()) {
                socket.setReceiveBufferSize(pool.getSocketBufferSize());
                socket.setSendBufferSize(pool.getSocketBufferSize());
                assertThat(socket.getReceiveBufferSize()).isGreaterThan(1 << 16);
                assertThat(socket.getSendBufferSize()).isGreaterThan(1 << 16);
            }
        }
    }
}
