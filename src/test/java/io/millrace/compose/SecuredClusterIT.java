package io.millrace.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.MillraceImage;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.TradeFile.Trade;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.junit.jupiter.EnabledIfDockerAvailable;

/**
 * The deployment of {@code examples/secured}, set up as its guide says, and attacked: from the host, from the network
 * of its clients, and from the network of its members. After each attack it serves as before.
 */
@EnabledIfDockerAvailable
@EnabledIf(value = "hasCompose", disabledReason = "`docker compose` (version 2) or openssl is missing")
class SecuredClusterIT {

    private static final String PROJECT = "millrace-secured-it";
    private static final List<String> NODES = List.of("locator", "server-1", "server-2", "ingest");
    private static final List<String> MEMBERS = NODES.subList(0, 3);
    private static final List<String> PUBLISHED = List.of("localhost:8443", "localhost:9100");
    private static final int TRADES = 1_000;
    private static final Pattern RECORDS = Pattern.compile("\"records\":(\\d+)");

    @TempDir
    static Path folder;

    private static String started = "";

    private static int sent;

    static boolean hasCompose() {
        return Stream.of("docker compose version", "docker info", "openssl version")
                .allMatch(command -> {
                    try {
                        run(command.split(" ", -1));
                        return true;
                    } catch (IOException | IllegalStateException _) {
                        return false;
                    }
                });
    }

    @BeforeAll
    static void start() throws Exception {
        DockerClientFactory.instance()
                .client()
                .tagImageCmd(MillraceImage.name(), "millrace", "latest")
                .exec();
        try (Stream<Path> files = Files.list(Path.of("examples/secured"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, folder.resolve(file.getFileName().toString()));
            }
        }
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.copy(folder.resolve("create-secrets"), other.resolve("create-secrets"));
        run(folder.resolve("create-secrets").toString());
        // The authorities have the same names as the trusted ones, so that a client sends its certificate.
        run(other.resolve("create-secrets").toString());
        keys("member", "secrets/server-1/cluster");
        keys("ingest", "secrets/ingest/cluster");
        keys("sender", "secrets/clients/sender");
        keys("user", "secrets/clients/prometheus");
        keys("forged-cluster", "other/secrets/server-1/cluster");
        keys("forged-sender", "other/secrets/clients/sender");
        keys("forged-user", "other/secrets/clients/prometheus");
        expired("cluster", "server-1");
        expired("senders", "sender");
        expired("web", "prometheus");
        compose("up", "--detach");
        await().until(() -> state().split(" healthy\n", -1).length == NODES.size() + 1);
        started = state();
    }

    @AfterAll
    static void stop() throws Exception {
        compose("down", "--volumes");
    }

    /**
     * No process has ended, all are ready, the servers refuse nothing of the ingest node, senders are acknowledged, and
     * the page shows what is stored.
     */
    @AfterEach
    void requireServed() throws Exception {
        assertThat(state()).isEqualTo(started).contains("healthy").doesNotContain("unhealthy");
        assertThat(compose("logs", "server-1", "server-2")).doesNotContain("from=/" + address("ingest"));
        List<Trade> trades = TradeFile.random(TRADES, sent);
        long before = stored();
        ByteBuffer bytes = ByteBuffer.allocate(TRADES * TradeFile.LENGTH);
        trades.forEach(trade -> bytes.put(trade.bytes()));
        try (Socket socket = tls("sender").getSocketFactory().createSocket("localhost", 9100)) {
            socket.getOutputStream().write(bytes.array());
            socket.shutdownOutput();
            byte[] counts = socket.getInputStream().readAllBytes();
            assertThat(ByteBuffer.wrap(counts).getLong(counts.length - Long.BYTES))
                    .isEqualTo(TRADES);
        }
        sent++;
        assertThat(stored() - before)
                .isEqualTo(trades.stream().filter(Trade::large).count())
                .isPositive();
    }

    @Test
    void shouldRunWithoutPrivilegesAndShowNoSecret() throws Exception {
        List<String> passwords = new ArrayList<>();
        for (String secret : List.of("server/member", "ingest/ingest", "ingest/admin")) {
            passwords.add(Files.readString(folder.resolve("secrets/" + secret)).strip());
        }
        for (String node : NODES) {
            assertThat(inspect(
                            node,
                            "{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.Config.User}}"
                                    + " {{.HostConfig.SecurityOpt}}"))
                    .isEqualTo("true [ALL] 65532:65532 [no-new-privileges:true]");
            assertThat(inspect(node, "{{json .}}")).doesNotContain(passwords);
        }
        // Without a password, the page shows nothing.
        assertThat(get("/api/regions", null, false)).startsWith("401");
        assertThat(get("/actuator/prometheus", "user", false)).startsWith("200");
    }

    /** Plaintext, no certificate, one of another authority, and an expired one. */
    @Test
    void shouldRefuseOthersAtThePublishedPorts() throws Exception {
        assertThat(NetworkAttack.send(NetworkAttack.PLAIN, PUBLISHED))
                .hasSize(4)
                .allMatch(line -> line.contains(" ended"), "ended");
        for (String keys :
                List.of(NetworkAttack.NO_CERTIFICATE, file("forged-sender"), file("expired-sender"), file("user"))) {
            requireRefused("host", keys, List.of("localhost:9100"));
        }
        for (String keys : List.of(file("forged-user"), file("expired-prometheus"))) {
            requireRefused("host", keys, List.of("localhost:8443"));
        }
    }

    @Test
    void shouldNotReachTheClusterFromTheFront() throws Exception {
        List<String> hosts = MEMBERS.stream().map(SecuredClusterIT::address).toList();
        List<String> targets = hosts.stream()
                .flatMap(host -> Stream.of(host + ":8443", host + ":10334", host + ":40404", host + ":41000"))
                .toList();
        assertThat(attack("front", "connect", NetworkAttack.PLAIN, targets))
                .hasSameSizeAs(targets)
                .allMatch(line -> line.endsWith(" unreachable"), "unreachable");
        assertThat(attack("front", "datagrams", null, hosts)).containsExactly("sent");
        assertThat(ports("ingest")).containsExactlyInAnyOrder("8443", "9100");
        assertThat(attack("front", "send", NetworkAttack.PLAIN, List.of("ingest:8443", "ingest:9100")))
                .hasSize(4)
                .allMatch(line -> line.contains(" ended"), "ended");
    }

    /** A place in the network of the members: without a key, with keys that are not valid, and with one that is. */
    @ParameterizedTest
    @ValueSource(strings = {"host", "cluster"})
    void shouldSurviveAttacksOnItsMembers(String place) throws Exception {
        List<String> hosts = MEMBERS.stream().map(SecuredClusterIT::address).toList();
        for (String member : MEMBERS) {
            long before = refusedDatagrams(member);
            // At most one line in ten seconds is logged.
            await().until(() -> {
                attack(place, "datagrams", null, List.of(address(member)));
                return refusedDatagrams(member) > before;
            });
        }
        List<String> open = new ArrayList<>();
        for (String member : MEMBERS) {
            ports(member).forEach(port -> open.add(address(member) + ":" + port));
        }
        List<String> clients = Stream.concat(
                        Stream.of(hosts.getFirst() + ":10334"),
                        hosts.stream().skip(1).map(host -> host + ":40404"))
                .toList();
        assertThat(open).containsAll(clients);
        attack(place, "send", NetworkAttack.PLAIN, open);
        for (String keys : List.of(NetworkAttack.NO_CERTIFICATE, file("forged-cluster"), file("expired-server-1"))) {
            requireRefused(place, keys, clients);
        }
        // On a slow machine, a handshake may take longer than the members wait for it.
        await().until(() -> attack(place, "connect", file("member"), clients).stream()
                .allMatch(line -> line.endsWith(" accepted")));
        // A key that was stolen from the ingest node.
        assertThat(attack(place, "send", file("ingest"), clients)).allMatch(line -> line.contains(" ended"), "ended");
    }

    private static long refusedDatagrams(String member) throws Exception {
        return compose("logs", "--no-log-prefix", member)
                .lines()
                .filter(line -> line.contains("Refused input from the network: port=membership"))
                .count();
    }

    private static void requireRefused(String place, String keys, List<String> targets) throws Exception {
        assertThat(attack(place, "connect", keys, targets))
                .as(keys)
                .hasSameSizeAs(targets)
                .allMatch(line -> line.contains(" refused: "), "refused");
    }

    private static List<String> ports(String node) throws Exception {
        return attack("container:" + container(node), "ports", null, List.of());
    }

    /** Runs an attack in a container on a network, or here. */
    private static List<String> attack(String place, String kind, @Nullable String keys, List<String> targets)
            throws Exception {
        if (place.equals("host")) {
            return switch (kind) {
                case "datagrams" -> NetworkAttack.datagrams(targets);
                case "connect" -> NetworkAttack.connect(String.valueOf(keys), targets);
                default -> NetworkAttack.send(String.valueOf(keys), targets);
            };
        }
        List<String> command = new ArrayList<>(
                List.of("docker", "run", "--rm", "--network=" + (place.contains(":") ? place : PROJECT + "_" + place)));
        command.add("--volume=" + Path.of("target/test-classes").toAbsolutePath() + ":/attack:ro");
        command.add("--volume=" + folder + ":" + folder + ":ro");
        command.addAll(List.of(
                "--user=0:0",
                "--entrypoint=java",
                "millrace",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                "/attack"));
        command.addAll(List.of(NetworkAttack.class.getName(), kind));
        if (keys != null) {
            command.add(keys);
        }
        command.addAll(targets);
        return run(command.toArray(String[]::new)).lines().toList();
    }

    private static String file(String keys) {
        return folder.resolve(keys + ".p12").toString();
    }

    private static void keys(String name, String certificate) throws IOException {
        Path file = folder.resolve(certificate);
        run(
                "openssl",
                "pkcs12",
                "-export",
                "-in",
                file + ".crt",
                "-inkey",
                file + ".key",
                "-out",
                file(name),
                "-passout",
                "pass:" + NetworkAttack.PASSWORD);
    }

    /** Issues a certificate that ended yesterday. */
    private static void expired(String authority, String name) throws IOException {
        String file = folder.resolve("expired-" + name).toString();
        String signer = folder.resolve("secrets/authorities/" + authority).toString();
        run(("openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=" + name + " -keyout "
                        + file + ".key -out " + file + ".csr")
                .split(" ", -1));
        run(("openssl x509 -req -set_serial 7 -days -1 -in " + file + ".csr -CA " + signer + ".crt -CAkey " + signer
                        + ".key -out " + file + ".crt")
                .split(" ", -1));
        keys("expired-" + name, "expired-" + name);
    }

    /** Returns when each container was started, whether again, and its health. */
    private static String state() throws IOException {
        List<String> command = new ArrayList<>(List.of("docker", "inspect", "--format"));
        command.add("{{.State.StartedAt}} {{.RestartCount}} {{.State.Health.Status}}");
        NODES.forEach(node -> command.add(container(node)));
        return run(command.toArray(String[]::new));
    }

    private static String container(String node) {
        return PROJECT + "-" + node + "-1";
    }

    private static String address(String node) {
        try {
            return inspect(node, "{{(index .NetworkSettings.Networks \"" + PROJECT + "_cluster\").IPAddress}}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String inspect(String node, String format) throws IOException {
        return run("docker", "inspect", "--format", format, PROJECT + "-" + node + "-1")
                .strip();
    }

    private static long stored() throws Exception {
        Matcher records = RECORDS.matcher(get("/api/regions/trades", null, true));
        assertThat(records.find()).isTrue();
        return Long.parseLong(records.group(1));
    }

    /** Returns the status and the body. */
    private static String get(String path, @Nullable String certificate, boolean password) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://localhost:8443" + path));
        if (password) {
            String user = "admin:"
                    + Files.readString(folder.resolve("secrets/ingest/admin")).strip();
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
        }
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(tls(certificate)).build()) {
            var response = client.send(request.build(), BodyHandlers.ofString());
            return response.statusCode() + " " + response.body();
        }
    }

    /** Returns the context of a client that trusts the authority of the page alone. */
    private static SSLContext tls(@Nullable String certificate) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream in =
                new FileInputStream(folder.resolve("secrets/clients/web-ca.crt").toFile())) {
            trusted.setCertificateEntry(
                    "web", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManager[] own = {};
        if (certificate != null) {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            char[] password = NetworkAttack.PASSWORD.toCharArray();
            factory.init(KeyStore.getInstance(Path.of(file(certificate)).toFile(), password), password);
            own = factory.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own, trust.getTrustManagers(), null);
        return context;
    }

    private static String compose(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "docker",
                "compose",
                "--project-name",
                PROJECT,
                "--file",
                folder.resolve("docker-compose.yml").toString()));
        command.addAll(Arrays.asList(arguments));
        return run(command.toArray(String[]::new));
    }

    private static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + "\n" + output);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return output;
    }
}
