package io.millrace.compose;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.model.Capability;
import io.millrace.MillraceImage;
import io.millrace.TestBudget;
import io.millrace.TestTimeout;
import io.millrace.store.geode.HostileMessages;
import io.millrace.testcontainers.MillraceContainer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.BindMode;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.Network;
import org.testcontainers.junit.jupiter.Testcontainers;

/**
 * The image with as few privileges as Docker can give it, as a locator and a server without TLS and users, under attack
 * at its published ports and from its network. Skipped without a Docker engine.
 */
@Testcontainers(disabledWithoutDocker = true)
class HardenedImageIT {

    private static final long MEMORY = 1L << 30;
    private static final long MAX_PROCESSES = 512;
    private static final int LOCATOR_PORT = 10334;
    private static final int SERVER_PORT = 40404;

    /** Connections on each of which half a request is sent. */
    private static final int UNFINISHED = 500;

    private static final int GARBAGE = 100;
    private static final int MAX_GARBAGE_BYTES = 2_000;

    private static final Network NETWORK = Network.newNetwork();
    private static final MillraceContainer<?> LOCATOR = hardened("locator", LOCATOR_PORT);
    private static final MillraceContainer<?> SERVER = hardened("server", SERVER_PORT)
            .withProperty("millrace.regions.trades.layout", "blocks")
            .withProperty("millrace.regions.trades.schema", "trade");
    private static final List<MillraceContainer<?>> MEMBERS = List.of(LOCATOR, SERVER);

    private static MillraceContainer<?> hardened(String role, int port) {
        MillraceContainer<?> container = new MillraceContainer<>(MillraceImage.name())
                .withRole(role)
                .withProperty("millrace.geode.locators", "locator:" + LOCATOR_PORT)
                .withProperty("millrace.geode.name", role)
                .withProperty("millrace.geode.public-address", role)
                .withProperty("millrace.web.request-timeout", "5s")
                .withProperty("server.netty.idle-timeout", "5s")
                .withNetwork(NETWORK)
                .withNetworkAliases(role)
                .withTmpFs(Map.of("/tmp", "rw,noexec,nosuid,nodev"))
                .withFileSystemBind(
                        Path.of("target/test-classes").toAbsolutePath().toString(), "/probe", BindMode.READ_ONLY)
                .withStartupTimeout(TestTimeout.MAX);
        container.withCreateContainerCmdModifier(command -> command.getHostConfig()
                .withReadonlyRootfs(true)
                .withCapDrop(Capability.ALL)
                .withSecurityOpts(List.of("no-new-privileges:true"))
                .withMemory(MEMORY)
                .withMemorySwap(MEMORY)
                .withPidsLimit(MAX_PROCESSES));
        container.addExposedPort(port);
        return container;
    }

    @BeforeAll
    static void start() {
        MEMBERS.forEach(MillraceContainer::start);
    }

    @AfterAll
    static void stop() {
        MEMBERS.forEach(MillraceContainer::stop);
        NETWORK.close();
    }

    /** What is in memory is lost with the container, and can't be executed. */
    @Test
    void shouldRunWithoutPrivilegesAndWriteToItsDataOnly() throws Exception {
        for (MillraceContainer<?> member : MEMBERS) {
            ExecResult probe = member.execInContainer(
                    "java", "-XX:+UseSerialGC", "-Xmx32m", "-cp", "/probe", ContainerProbe.class.getName());
            assertThat(probe.getExitCode()).as(probe.getStderr()).isZero();
            List<String> lines = probe.getStdout().lines().toList();
            assertThat(lines)
                    .filteredOn(line -> line.startsWith("process"))
                    .hasSizeGreaterThanOrEqualTo(2)
                    .containsOnly("process Uid: 65532 65532 65532 65532 CapEff: 0000000000000000"
                            + " CapBnd: 0000000000000000 NoNewPrivs: 1");
            assertThat(lines)
                    .filteredOn(line -> line.startsWith("writable"))
                    .containsExactlyInAnyOrder(
                            "writable /millrace/data", "writable /tmp", "writable /dev/shm", "writable /dev/mqueue");
        }
    }

    @Test
    void shouldAnswerWhateverIsSentToItsPorts() throws Exception {
        String locator = target(LOCATOR, LOCATOR_PORT);
        String server = target(SERVER, SERVER_PORT);
        List<String> http =
                List.of(target(LOCATOR, MillraceContainer.HTTP_PORT), target(SERVER, MillraceContainer.HTTP_PORT));

        requireEnded(NetworkAttack.send(NetworkAttack.PLAIN, List.of(locator), HostileMessages.toLocator()));
        requireEnded(NetworkAttack.send(NetworkAttack.PLAIN, List.of(server), HostileMessages.toServer()));
        requireServed();
        NetworkAttack.datagrams(MEMBERS.stream().map(HardenedImageIT::address).toList());
        requireServed();
        List<String> all = new ArrayList<>(http);
        all.addAll(List.of(locator, server));
        requireEnded(NetworkAttack.send(NetworkAttack.PLAIN, all, garbage()));
        requireServed();
        List<Socket> unfinished = new ArrayList<>();
        try {
            for (String target : http) {
                for (int i = 0; i < UNFINISHED; i++) {
                    unfinished.add(beginRequest(URI.create("http://" + target)));
                }
                requireServed();
            }
        } finally {
            for (Socket socket : unfinished) {
                socket.close();
            }
        }
        requireServed();
    }

    private static void requireEnded(List<String> lines) {
        assertThat(lines).isNotEmpty().allMatch(line -> line.contains(" ended"), "ended");
    }

    /** The first process still runs, and answers. */
    private static void requireServed() throws Exception {
        for (MillraceContainer<?> member : MEMBERS) {
            ContainerState state = member.getCurrentContainerInfo().getState();
            assertThat(state.getRunning()).isTrue();
            assertThat(state.getOOMKilled()).isFalse();
            assertThat(state.getStartedAt())
                    .isEqualTo(member.getContainerInfo().getState().getStartedAt());
            for (String probe : List.of("liveness", "readiness")) {
                URI uri = URI.create(member.url("/actuator/health/" + probe));
                await().ignoreExceptionsInstanceOf(IOException.class).untilAsserted(() -> requireUp(uri));
            }
        }
    }

    private static void requireUp(URI probe) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(probe).timeout(TestTimeout.MAX).build();
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        }
    }

    /** Bytes that are no message of any port, or a request of a version of HTTP that does not exist. */
    private static List<byte[]> garbage() {
        Random random = new Random(TestBudget.seed());
        List<byte[]> garbage = new ArrayList<>(List.of(
                "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII),
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII),
                new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 252, 3, 3, '\r', '\n', '\r', '\n'}));
        for (int i = 0; i < GARBAGE; i++) {
            byte[] bytes = new byte[1 + random.nextInt(MAX_GARBAGE_BYTES)];
            random.nextBytes(bytes);
            garbage.add(bytes);
        }
        return garbage;
    }

    private static Socket beginRequest(URI target) throws IOException {
        Socket socket = new Socket(target.getHost(), target.getPort());
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: loc".getBytes(US_ASCII));
        return socket;
    }

    private static String target(MillraceContainer<?> container, int port) {
        return container.getHost() + ":" + container.getMappedPort(port);
    }

    private static String address(MillraceContainer<?> container) {
        return container.getContainerInfo().getNetworkSettings().getNetworks().values().stream()
                .findFirst()
                .orElseThrow()
                .getIpAddress();
    }
}
