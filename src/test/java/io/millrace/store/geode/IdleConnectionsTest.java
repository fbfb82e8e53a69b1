package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.nemesis.IdleConnections;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.server.CacheServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that begin and then send nothing, which needs no credentials: others are served all the same. */
@Tag("long")
class IdleConnectionsTest {

    /** More than the threads that Geode has by default for new connections to a locator. */
    private static final int CONNECTIONS = 120;

    /** More than the threads of a server. */
    private static final int MANY_CONNECTIONS = 600;

    /** A client's first byte, behind which a server reads the rest on another thread. */
    private static final byte[] CLIENT_TO_SERVER = {100};

    private static final Pattern SERVER_CONNECTIONS =
            Pattern.compile("(\\d+) +\\d+ +org\\.apache\\.geode\\.[a-z.]+\\.ServerConnection\\R");

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
        ForkedMember.keepIdleConnections();
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

    @Test
    void shouldServeANewClientOfAServer() throws Exception {
        try (IdleConnections idle = new IdleConnections(serverPort, MANY_CONNECTIONS, new byte[0])) {
            requireServed();
            assertThat(idle.ended()).isLessThan(MANY_CONNECTIONS);
        }
    }

    @Test
    void shouldServeANewClientOfALocator() throws Exception {
        try (IdleConnections idle = new IdleConnections(locator, CONNECTIONS, new byte[0])) {
            requireServed();
            assertThat(idle.ended()).isZero();
        }
    }

    @Test
    void shouldEndAConnectionWhoseHandshakeStops() throws Exception {
        try (IdleConnections idle = new IdleConnections(serverPort, CONNECTIONS, CLIENT_TO_SERVER)) {
            await().until(() -> idle.ended() == CONNECTIONS);
        }
    }

    /** With 512 KiB of heap for each, they would take more than it has. */
    @Test
    void shouldServeANewClientWhileManyHandshakesHaveBegun() throws Exception {
        try (IdleConnections _ = new IdleConnections(serverPort, MANY_CONNECTIONS, CLIENT_TO_SERVER)) {
            requireServed();
        }
        assertThat(server.handle().isAlive()).isTrue();
    }

    /** Each would keep 37 KiB of the heap. */
    @Test
    void shouldForgetConnectionsThatItHasEnded() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (IdleConnections idle = new IdleConnections(serverPort, MANY_CONNECTIONS, CLIENT_TO_SERVER)) {
                await().until(() -> idle.ended() > 0);
            }
        }
        await().until(() -> connections(server.handle()) < CONNECTIONS);
    }

    /** Returns how many connections Geode knows. */
    private static int connections(ProcessHandle process) throws IOException {
        String tool = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process run = new ProcessBuilder(tool, Long.toString(process.pid()), "GC.class_histogram").start();
        String classes = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return SERVER_CONNECTIONS
                .matcher(classes)
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .sum();
    }

    @Test
    void shouldEndConnectionsThatSendNothing() throws Exception {
        ForkedMember.endIdleConnections();
        int other = FreePort.next();
        try (ForkedMember _ =
                        ForkedMember.locator(folder.resolve("other"), other).awaitReady();
                ForkedMember usual = ForkedMember.server("usual", "a", other)) {
            int port = usual.port();
            usual.awaitReady();
            try (IdleConnections ofLocator = new IdleConnections(other, CONNECTIONS, new byte[0]);
                    IdleConnections ofServer = new IdleConnections(port, CONNECTIONS, new byte[0])) {
                await().until(() -> ofLocator.ended() == CONNECTIONS && ofServer.ended() == CONNECTIONS);
            }
        }
    }

    private static void requireServed() {
        try (GeodeStore store =
                new GeodeStore(GeodeOptions.client(ForkedMember.client(locator)), ForkedMember.FUNCTIONS)) {
            assertThat(store.openFound(ForkedMember.LONG).name()).isEqualTo(ForkedMember.LONG);
        }
    }

    /** As where they are more than the threads for new connections. */
    @Test
    void shouldNotBeReadyWhileNobodyCanConnect() throws Exception {
        System.setProperty("BridgeServer.HANDSHAKE_POOL_SIZE", "1");
        ForkedMember.keepIdleConnections();
        try (GeodeStore store = ForkedMember.join("two", "b", locator)) {
            await().untilAsserted(() -> assertThatCode(store::requireAvailable).doesNotThrowAnyException());
            int port = CacheFactory.getAnyInstance().getCacheServers().stream()
                    .mapToInt(CacheServer::getPort)
                    .findAny()
                    .orElseThrow();

            try (IdleConnections _ = new IdleConnections(port, 2, new byte[0])) {
                await().untilAsserted(() -> assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(store::requireAvailable)
                        .withMessageStartingWith("Port " + port + " of this process does not answer"));
            }

            await().untilAsserted(() -> assertThatCode(store::requireAvailable).doesNotThrowAnyException());
        } finally {
            System.clearProperty("BridgeServer.HANDSHAKE_POOL_SIZE");
        }
    }
}
