package io.millrace.web.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Connections of several addresses of this machine. */
class ConnectionLimitTest {

    private static final String LIVENESS = "GET /actuator/health/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @TempDir
    Path folder;

    @Test
    void shouldLeaveConnectionsToOtherAddressesAndGiveThemBack() throws IOException {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(MillraceApplication.class)
                .run("--server.port=0", "--millrace.data=" + folder, "--millrace.web.max-connections=8")) {
            int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
            List<Socket> open = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Socket socket = connect("127.0.0.9", port);
                assertThat(isServed(socket)).as("connection %s of a flood", i).isEqualTo(i < 6);
                open.add(socket);
            }
            for (int i = 0; i < 4; i++) {
                Socket socket = connect("127.0.0.7", port);
                assertThat(isServed(socket))
                        .as("connection %s of another address", i)
                        .isEqualTo(i < 2);
                open.add(socket);
            }
            for (Socket socket : open) {
                socket.close();
            }
            await().until(() -> {
                try (Socket socket = connect("127.0.0.9", port)) {
                    return isServed(socket);
                }
            });
        }
    }

    private static Socket connect(String from, int port) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private static boolean isServed(Socket socket) {
        try {
            socket.getOutputStream().write(LIVENESS.getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() == 'H';
        } catch (IOException closed) {
            return false;
        }
    }
}
