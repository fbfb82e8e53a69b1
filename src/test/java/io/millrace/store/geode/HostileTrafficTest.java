package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.nemesis.Mutations;
import io.millrace.nemesis.OpenPorts;
import io.millrace.nemesis.RecordingRelay;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.guard.MemberTraffic;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.geode.internal.net.SocketCreatorFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged forms of what clients and members send, to each open port of a locator and a server, without TLS to those
 * that do not trust everyone: no process ends, is busy afterwards, or has lost memory, and clients are served. The
 * property {@code millrace.hostile.messages} sets their number.
 */
@Tag("long")
class HostileTrafficTest {

    private static final int MESSAGES = Integer.getInteger("millrace.hostile.messages", 2_000);
    private static final long SEED = 20_261_127;
    private static final int IDLE_CHECK_MS = 200;
    private static final long MAX_HEAP_GROWTH_KIB = 32 << 10;
    private static final Pattern HEAP_USED = Pattern.compile("total \\d+K, used (\\d+)K");

    @TempDir
    Path folder;

    private static List<byte[]> connections = List.of();
    private static List<byte[]> datagrams = List.of();

    private int locator;
    private int serverPort;

    @SuppressWarnings("NullAway.Init") // set before each test
    private ForkedMember locatorMember;

    @SuppressWarnings("NullAway.Init") // set before each test
    private ForkedMember server;

    /** Records how a server joins, and how a client connects and asks. */
    @BeforeAll
    static void listen(@TempDir Path folder) throws Exception {
        datagrams = new MemberTraffic().datagrams();
        int port = FreePort.next();
        try (ForkedMember _ = ForkedMember.guardedLocator(folder, port).awaitReady();
                RecordingRelay toLocator = new RecordingRelay(port);
                ForkedMember member = ForkedMember.guardedServer("one", "a", toLocator.port())) {
            int served = member.port();
            member.awaitReady();
            try (RecordingRelay toServer = new RecordingRelay(served)) {
                ask(toLocator.port(), "desk", Map.of(address(served), address(toServer.port())));
                List<byte[]> recorded = new ArrayList<>(toLocator.recorded());
                recorded.addAll(toServer.recorded());
                assertThat(toLocator.recorded()).hasSizeGreaterThan(2);
                assertThat(toServer.recorded()).isNotEmpty();
                connections = recorded;
            }
        }
    }

    private static Address address(int port) {
        return new Address("127.0.0.1", port);
    }

    private static void ask(int locator, String user, Map<Address, Address> reachedAt) {
        ClusterOptions usual = ForkedMember.client(locator, user);
        ClusterOptions options = new ClusterOptions(
                null,
                usual.locators(),
                reachedAt,
                null,
                null,
                0,
                usual.memberTimeout(),
                null,
                usual.tls(),
                usual.credentials(),
                Map.of(),
                0,
                1,
                usual.takeoverAfter());
        try (GeodeStore store = new GeodeStore(GeodeOptions.client(options), ForkedMember.FUNCTIONS)) {
            store.openFound(ForkedMember.LONG);
            assertThat(store.query(ForkedMember.LONG, Query.all()).records()).isEmpty();
        }
    }

    @BeforeEach
    void reset() {
        SocketCreatorFactory.close(); // it keeps the settings of earlier tests
    }

    private void start() throws IOException {
        locator = FreePort.next();
        locatorMember = ForkedMember.guardedLocator(folder, locator).awaitReady();
        server = ForkedMember.guardedServer("one", "a", locator);
        serverPort = server.port();
        server.awaitReady();
    }

    @AfterEach
    void stop() {
        server.close();
        locatorMember.close();
        System.clearProperty(ForkedMember.KEYS);
        SocketCreatorFactory.close();
    }

    @Test
    void shouldSurviveDamagedTraffic() throws Exception {
        start();
        requireSurvived(Set.of(locator, serverPort)); // without TLS, members trust whoever reaches their other ports
    }

    @Test
    void shouldSurviveDamagedTrafficWithTls() throws Exception {
        System.setProperty(ForkedMember.KEYS, ForkedMember.selfSigned(folder).toString());
        start();
        Set<Integer> all = new TreeSet<>();
        for (ForkedMember member : List.of(locatorMember, server)) {
            all.addAll(OpenPorts.of(member.handle()).tcp());
        }
        requireSurvived(all);
    }

    private void requireSurvived(Set<Integer> tcp) throws Exception {
        List<ForkedMember> members = List.of(locatorMember, server);
        List<Long> before = new ArrayList<>();
        for (ForkedMember member : members) {
            before.add(heapKib(member.handle()));
        }
        for (ForkedMember member : members) {
            OpenPorts open = OpenPorts.of(member.handle());
            Set<Integer> ports = new TreeSet<>(open.tcp());
            ports.retainAll(tcp);
            send(new OpenPorts(open.udp(), ports));
        }
        for (ForkedMember member : members) {
            requireAlive(member);
            requireIdle(member.handle());
        }
        // A process that gets no processor looks idle, and may have connections to end before it answers a client.
        await().ignoreExceptionsInstanceOf(StoreException.class).untilAsserted(() -> ask(locator, "desk", Map.of()));
        for (int i = 0; i < members.size(); i++) {
            ProcessHandle process = members.get(i).handle();
            long most = before.get(i) + MAX_HEAP_GROWTH_KIB;
            await().until(() -> heapKib(process) < most);
        }
    }

    private static void requireAlive(ForkedMember member) throws IOException {
        if (!member.handle().isAlive()) {
            throw new AssertionError("A member has ended:\n" + member.rest());
        }
    }

    private static void send(OpenPorts ports) throws IOException {
        assertThat(ports.udp()).isNotEmpty();
        assertThat(ports.tcp()).isNotEmpty();
        Mutations ofDatagrams = new Mutations(SEED, datagrams);
        Mutations ofConnections = new Mutations(SEED, connections);
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < MESSAGES; i++) {
                for (int port : ports.udp()) {
                    byte[] datagram = ofDatagrams.next();
                    socket.send(new DatagramPacket(datagram, datagram.length, InetAddress.getLoopbackAddress(), port));
                }
                if (i % ports.tcp().size() == 0) {
                    for (int port : ports.tcp()) {
                        send(port, ofConnections.next());
                    }
                }
            }
        }
    }

    private static void send(int port, byte[] bytes) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            // ended before all was written
        }
    }

    private static void requireIdle(ProcessHandle process) {
        await().until(() -> {
            Duration before = process.info().totalCpuDuration().orElseThrow();
            Thread.sleep(IDLE_CHECK_MS);
            return process.info().totalCpuDuration().orElseThrow().minus(before).toMillis() < IDLE_CHECK_MS / 2;
        });
    }

    /** Returns the heap in use after a collection. */
    private static long heapKib(ProcessHandle process) throws IOException {
        command(process, "GC.run");
        Matcher used = HEAP_USED.matcher(command(process, "GC.heap_info"));
        long sum = 0;
        while (used.find()) {
            sum += Long.parseLong(used.group(1));
        }
        return sum;
    }

    private static String command(ProcessHandle process, String command) throws IOException {
        String tool = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process run = new ProcessBuilder(tool, Long.toString(process.pid()), command)
                .redirectErrorStream(true)
                .start();
        return new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
