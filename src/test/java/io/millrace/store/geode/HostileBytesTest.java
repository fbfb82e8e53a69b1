package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.FreePort;
import io.millrace.nemesis.OpenPorts;
import io.millrace.store.geode.cache.GeodeOptions;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes from processes without credentials, to each port of a cluster: no process ends, and others are served. */
class HostileBytesTest {

    @TempDir
    static Path folder;

    private static int locator;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ForkedMember locatorMember;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ForkedMember server;

    @BeforeAll
    static void start() throws Exception {
        locator = FreePort.next();
        locatorMember = ForkedMember.locator(folder, locator).awaitReady();
        server = ForkedMember.server("one", "a", locator).awaitReady();
    }

    @AfterAll
    static void stop() {
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

    private static void send(ForkedMember member, byte[] datagram) throws IOException {
        OpenPorts ports = OpenPorts.of(member.handle());
        assertThat(ports.udp()).isNotEmpty();
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int port : ports.udp()) {
                socket.send(new DatagramPacket(datagram, datagram.length, InetAddress.getLoopbackAddress(), port));
            }
        }
    }

    private static void requireServed() {
        assertThat(locatorMember.handle().isAlive()).isTrue();
        assertThat(server.handle().isAlive()).isTrue();
        try (GeodeStore store =
                new GeodeStore(GeodeOptions.client(ForkedMember.client(locator)), ForkedMember.FUNCTIONS)) {
            assertThat(store.openFound(ForkedMember.LONG).name()).isEqualTo(ForkedMember.LONG);
        }
    }
}
