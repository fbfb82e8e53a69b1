package io.millrace.store.geode.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class OwnConnectionsTest {

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private static InetSocketAddress address(Socket socket) {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    @Test
    void shouldNotTakeAnotherClientForThisProcessBecauseItHasTheNumberOfAPortOfThisProcess() throws IOException {
        OwnConnections own = new OwnConnections();
        try (ServerSocket locator = listen();
                ServerSocket server = listen();
                Socket toServer = own.add(new Socket(server.getInetAddress(), server.getLocalPort()))) {
            own.to(locator.getLocalPort());
            assertThat(own.contain(address(toServer))).isFalse();
        }
    }

    @Test
    void shouldFindConnectionsThatAreOpen() throws IOException {
        OwnConnections own = new OwnConnections();
        try (ServerSocket locator = listen()) {
            own.to(locator.getLocalPort());
            Socket socket = own.add(new Socket(locator.getInetAddress(), locator.getLocalPort()));
            InetSocketAddress client = address(socket);
            assertThat(own.contain(client)).isTrue();
            socket.close();
            assertThat(own.contain(client)).isFalse();
        }
    }
}
