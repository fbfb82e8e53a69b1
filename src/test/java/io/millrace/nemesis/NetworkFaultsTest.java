package io.millrace.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.ChildJvm;
import io.millrace.TestTimeout;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkFaultsTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    /** Long enough for bytes that are not held back. */
    private static final int SILENCE_MILLIS = 300;

    /** A port on which nobody listens: the connection of the child leads to another one. */
    private static final int NO_SERVER = 1;

    private static final int ANSWER_MILLIS = (int) TestTimeout.MAX.toMillis();

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // compiled before each test
    private SystemFaults faults;

    @SuppressWarnings("NullAway.Init") // started before each test
    private Process child;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Socket connection;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private DatagramSocket datagrams;

    /** Sends each byte of a connection as a datagram and then back. */
    static final class Child {

        private Child() {}

        public static void main(String[] arguments) throws IOException {
            try (Socket connection = new Socket(LOOPBACK, Integer.parseInt(arguments[0]));
                    DatagramSocket datagrams = new DatagramSocket(0, LOOPBACK)) {
                for (int next = connection.getInputStream().read();
                        next >= 0;
                        next = connection.getInputStream().read()) {
                    datagrams.send(
                            new DatagramPacket(new byte[] {(byte) next}, 1, LOOPBACK, Integer.parseInt(arguments[1])));
                    connection.getOutputStream().write(next);
                }
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        faults = SystemFaults.in(folder);
        datagrams = new DatagramSocket(0, LOOPBACK);
        datagrams.setSoTimeout(ANSWER_MILLIS);
        try (ServerSocket server = new ServerSocket(0, 1, LOOPBACK)) {
            faults.redirect(NO_SERVER, server.getLocalPort());
            ProcessBuilder builder = new ProcessBuilder(
                    ChildJvm.command(Child.class, String.valueOf(NO_SERVER), String.valueOf(datagrams.getLocalPort())));
            builder.environment().putAll(faults.environment());
            child = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            server.setSoTimeout(ANSWER_MILLIS);
            connection = server.accept();
        }
        send(1);
        assertThat(answer(ANSWER_MILLIS)).isEqualTo(1);
        assertThat(datagram()).isEqualTo(1);
    }

    @AfterEach
    void stop() throws IOException {
        connection.close();
        datagrams.close();
        child.destroyForcibly();
    }

    private void send(int value) throws IOException {
        connection.getOutputStream().write(value);
    }

    private int answer(int maxMillis) throws IOException {
        connection.setSoTimeout(maxMillis);
        return connection.getInputStream().read();
    }

    private int datagram() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[1], 1);
        datagrams.receive(packet);
        return packet.getData()[0];
    }

    /** Waits until the child waits for bytes: a fault concerns calls that began before it. */
    private void awaitSleep() {
        await().until(() -> {
            try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(child.pid()), "task"))) {
                return threads.allMatch(thread -> state(thread) == 'S');
            }
        });
    }

    /** Returns the state of a thread, which follows its name in parentheses; {@code S} if it sleeps. */
    private static char state(Path thread) {
        try {
            String line = Files.readString(thread.resolve("stat"));
            return line.charAt(line.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return 0; // has ended meanwhile
        }
    }

    private void requireSilence() {
        assertThatThrownBy(() -> answer(SILENCE_MILLIS)).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void shouldLetNothingOut() throws Exception {
        Nemesis mute = NetworkNemesis.mute("child", faults);
        mute.start();
        send(2);
        requireSilence();
        mute.stop();
        assertThat(answer(ANSWER_MILLIS)).isEqualTo(2);
        send(3);
        assertThat(answer(ANSWER_MILLIS)).isEqualTo(3);
        assertThat(datagram()).as("the first datagram that was not lost").isEqualTo(3);
    }

    @Test
    void shouldLetNothingIn() throws Exception {
        Nemesis deaf = NetworkNemesis.deaf("child", faults);
        awaitSleep();
        deaf.start();
        send(2);
        requireSilence();
        deaf.stop();
        assertThat(answer(ANSWER_MILLIS)).isEqualTo(2);
        assertThat(datagram()).isEqualTo(2);
    }

    @Test
    void shouldDelayWhatGoesInAndOut() throws Exception {
        Nemesis slow = NetworkNemesis.slow("child", faults, Duration.ofMillis(200));
        slow.start();
        long start = System.nanoTime();
        send(2);
        assertThat(answer(ANSWER_MILLIS)).isEqualTo(2);
        assertThat(System.nanoTime() - start)
                .isGreaterThan(Duration.ofMillis(400).toNanos());
        slow.stop();
    }
}
