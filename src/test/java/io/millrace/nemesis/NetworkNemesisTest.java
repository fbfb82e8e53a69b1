package io.millrace.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import io.millrace.nemesis.NetworkNemesis.Direction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NetworkNemesisTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int END = -1;

    /** On a machine that is not busy, long enough for bytes that are not held back. */
    private static final int SILENCE_MILLIS = 300;

    /** On a busy machine, long enough for them. */
    private static final int ROUND_TRIPS = 20;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private ServerSocket echo;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private NetworkNemesis network;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Socket client;

    @BeforeEach
    void open() throws IOException {
        echo = new ServerSocket(0, 10, LOOPBACK);
        Thread.ofVirtual().start(this::serve);
        network = new NetworkNemesis(echo.getLocalPort());
        client = new Socket(LOOPBACK, network.port());
        assertThat(answer(client, 1)).isEqualTo(1);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        network.close();
        echo.close();
    }

    private void serve() {
        while (!echo.isClosed()) {
            try {
                Socket socket = echo.accept();
                Thread.ofVirtual().start(() -> answer(socket));
            } catch (IOException e) {
                // closed
            }
        }
    }

    private static void answer(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            // reset
        }
    }

    private static int answer(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        return read(socket, (int) TestTimeout.MAX.toMillis());
    }

    /** Returns {@link #END} also where the connection was reset. */
    private static int read(Socket socket, int maxMillis) throws IOException {
        socket.setSoTimeout(maxMillis);
        try {
            return socket.getInputStream().read();
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return END;
        }
    }

    /** Bytes that are sent later, through another proxy, arrive meanwhile. */
    private void requireSilence(int value) throws IOException {
        client.getOutputStream().write(value);
        try (NetworkNemesis intact = new NetworkNemesis(echo.getLocalPort());
                Socket other = new Socket(LOOPBACK, intact.port())) {
            for (int i = 0; i < ROUND_TRIPS; i++) {
                assertThat(answer(other, value)).isEqualTo(value);
            }
        }
        assertThatThrownBy(() -> read(client, SILENCE_MILLIS)).isInstanceOf(SocketTimeoutException.class);
    }

    @ParameterizedTest
    @EnumSource
    void shouldHoldBytesOfADirectionUntilItIsHealed(Direction direction) throws IOException {
        network.hold(direction);
        requireSilence(2);
        network.heal();
        assertThat(read(client, (int) TestTimeout.MAX.toMillis())).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndConnectionsThatHaveLostBytes(Direction direction) throws IOException {
        network.drop(direction);
        requireSilence(2);
        network.heal();
        assertThat(read(client, (int) TestTimeout.MAX.toMillis())).isEqualTo(END);
    }

    @Test
    void shouldEndConnectionsAndNewOnes() throws IOException {
        network.reset();
        assertThat(read(client, (int) TestTimeout.MAX.toMillis())).isEqualTo(END);
        try (Socket next = new Socket(LOOPBACK, network.port())) {
            assertThat(read(next, (int) TestTimeout.MAX.toMillis())).isEqualTo(END);
        }
        network.heal();
        try (Socket next = new Socket(LOOPBACK, network.port())) {
            assertThat(answer(next, 3)).isEqualTo(3);
        }
    }

    @Test
    void shouldDelayBytesUntilItIsHealed() throws IOException {
        network.delay(Duration.ofMillis(1));
        assertThat(answer(client, 2)).isEqualTo(2);
        network.delay(Duration.ofHours(1));
        requireSilence(3);
        network.heal();
        assertThat(read(client, (int) TestTimeout.MAX.toMillis())).isEqualTo(3);
    }

    @Test
    void shouldOpenConnectionsThatSendNothing() throws Exception {
        Nemesis idle = NetworkNemesis.idle("server", network.port());
        int before = network.connections().size();
        idle.start();
        await().until(() -> network.connections().size() > before + 100);
        idle.stop();
        assertThat(answer(client, 2)).isEqualTo(2);
    }
}
