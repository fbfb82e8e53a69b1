package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.TestTimeout;
import io.millrace.nemesis.OpenPorts;
import io.millrace.store.geode.cache.GeodeOptions;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.apache.geode.DataSerializer;
import org.apache.geode.distributed.internal.tcpserver.ShutdownRequest;
import org.apache.geode.internal.serialization.DSCODE;
import org.apache.geode.internal.serialization.KnownVersion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Bytes from processes without credentials, to each port of a cluster: no process ends, and others are served. */
@Tag("long")
class HostileBytesTest {

    private static final int IDLE_CHECK_MS = 200;

    @TempDir
    static Path folder;

    private static int locator;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ForkedMember locatorMember;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ForkedMember server;

    private static int serverPort;

    @BeforeAll
    static void start() throws Exception {
        ForkedMember.keepIdleConnections(); // so that only what was refused ends them
        locator = FreePort.next();
        locatorMember = ForkedMember.locator(folder, locator).awaitReady();
        server = ForkedMember.server("one", "a", locator);
        serverPort = server.port();
        server.awaitReady();
    }

    @AfterAll
    static void stop() {
        ForkedMember.endIdleConnections();
        server.close();
        locatorMember.close();
    }

    /** JGroups would allocate the length that it claims. */
    @Test
    void shouldSurviveADatagramWithAForgedLength() throws Exception {
        byte[] datagram = HexFormat.of().parseHex("198e00040000000077359400");
        send(server, datagram);
        send(locatorMember, datagram);

        server.awaitLine("Refused input from the network");
        locatorMember.awaitLine("Refused input from the network");
        requireServed();
    }

    @ParameterizedTest
    @FieldSource("io.millrace.store.geode.HostileMessages#TO_LOCATOR")
    void shouldSurviveWhatALocatorDoesNotExpect(String hex) throws Exception {
        requireEnded(locator, HexFormat.of().parseHex(hex));
        requireServed();
    }

    /** It needs no credentials in Geode. */
    @Test
    void shouldNotLetALocatorBeStopped() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(1002);
        out.writeShort(KnownVersion.CURRENT_ORDINAL);
        DataSerializer.writeObject(new ShutdownRequest(), out);

        requireEnded(locator, bytes.toByteArray());

        requireServed();
    }

    @ParameterizedTest
    @FieldSource("io.millrace.store.geode.HostileMessages#TO_SERVER")
    void shouldSurviveWhatAServerDoesNotExpect(String hex) throws Exception {
        requireEnded(serverPort, HexFormat.of().parseHex(hex));
        requireServed();
    }

    @ParameterizedTest
    @FieldSource("io.millrace.store.geode.HostileMessages#TO_SERVER_OF_CLIENT")
    void shouldSurviveWhatAServerDoesNotExpectOfAClient(String hex) throws Exception {
        requireEnded(serverPort, HostileMessages.ofClient(hex));
        requireServed();
    }

    /** Each level doubles the time to compute its hash code. */
    @Test
    void shouldSpendNoTimeOnSetsWithinSets() throws Exception {
        Set<Object> root = new HashSet<>();
        Set<Object> left = root;
        Set<Object> right = new HashSet<>();
        for (int level = 0; level < 40; level++) {
            Set<Object> nextLeft = new HashSet<>();
            Set<Object> nextRight = new HashSet<>(Set.of("text"));
            left.addAll(List.of(nextLeft, nextRight));
            right.addAll(List.of(nextLeft, nextRight));
            left = nextLeft;
            right = nextRight;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(DSCODE.SERIALIZABLE.toByte());
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(root);
        }

        requireEnded(locator, concat(HexFormat.of().parseHex("000003ea0096"), bytes.toByteArray()));
        requireEnded(serverPort, concat(HexFormat.of().parseHex("64ff00963b00002710"), bytes.toByteArray()));
        requireServed();
    }

    private static byte[] concat(byte[] one, byte[] other) {
        byte[] all = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }

    /** Sends bytes, and leaves the connection open until the other side ends it. */
    private static void requireEnded(int port, byte[] bytes) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
            socket.getOutputStream().write(bytes);
            socket.getInputStream().readAllBytes();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("The connection is still open.", e);
        } catch (IOException e) {
            // it was reset
        }
    }

    private static void send(ForkedMember member, byte[] datagram) throws IOException {
        OpenPorts ports = OpenPorts.of(member.handle());
        assertThat(ports.udp()).isNotEmpty();
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int port : ports.udp()) {
                socket.send(new DatagramPacket(datagram, datagram.length, InetAddress.getLoopbackAddress(), port));
            }
        }
    }

    /** Requires that a process comes to use little of a processor. */
    private static void requireIdle(ProcessHandle process) {
        await().until(() -> {
            Duration before = process.info().totalCpuDuration().orElseThrow();
            Thread.sleep(IDLE_CHECK_MS);
            return process.info().totalCpuDuration().orElseThrow().minus(before).toMillis() < IDLE_CHECK_MS / 2;
        });
    }

    private static void requireServed() {
        for (ForkedMember member : List.of(locatorMember, server)) {
            assertThat(member.handle().isAlive()).isTrue();
            requireIdle(member.handle());
        }
        try (GeodeStore store =
                new GeodeStore(GeodeOptions.client(ForkedMember.client(locator)), ForkedMember.FUNCTIONS)) {
            assertThat(store.openFound(ForkedMember.LONG).name()).isEqualTo(ForkedMember.LONG);
        }
    }
}
