package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import desk.CheapestPounds;
import io.millrace.client.MillraceClient;
import io.millrace.client.RegionClient;
import io.millrace.store.error.StoreException;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of processes on this machine, as {@code docs/guides/cluster.md} describes it: secured, asked, and left. */
@Tag("long")
class ClusterIT {

    private static final String PASSWORD = "changeit";
    private static final int TRADES = 50_000;

    /** Of the page of readiness; its other parts may be up by themselves. */
    private static final String READY = "\"geode\":{\"status\":\"UP\"}";

    /** Of the trades 1 to {@value #TRADES} of the generator's first seed. */
    private static final String QUERY = "/api/regions/trades/records?orderBy=id%20desc&limit=1&select=id";

    private static final Pattern OPENS = Pattern.compile("--add-opens (\\S+)");

    private final List<MillraceProcess> started = new ArrayList<>();

    @TempDir
    Path folder;

    private int locatorPort;
    private boolean withGfsh;

    @BeforeEach
    void prepare() throws Exception {
        locatorPort = FreePort.next();
        Files.copy(Path.of("src/test/resources/io/millrace/cluster.yml"), folder.resolve("cluster.yml"));
    }

    @AfterEach
    void killAll() {
        started.forEach(MillraceProcess::close);
    }

    @Test
    void shouldKeepRecordsOnServersThatComeAndGo() throws Exception {
        MillraceProcess first = server("one", "cluster.yml");
        // Alone it is not ready, but nobody shall restart it for that.
        first.awaitText("/actuator/health/liveness", "UP");
        first.awaitText("/actuator/health/readiness", "This server can't join the cluster: ");
        MillraceProcess ingest = ingest("cluster.yml");
        ingest.awaitText("/actuator/health/liveness", "UP");
        assertThat(ingest.get("/actuator/health/readiness")).contains("No server of the cluster answers");

        MillraceProcess locator = locator();
        MillraceProcess second = server("two", "cluster.yml");
        for (MillraceProcess millrace : List.of(locator, first, second, ingest)) {
            millrace.awaitText("/actuator/health/readiness", READY);
        }

        ingest.awaitText("/api/pipelines/trades", "\"state\":\"done\"");
        ingest.awaitText("/api/pipelines/latest", "\"state\":\"done\"");
        for (MillraceProcess millrace : List.of(first, second, ingest)) {
            assertThat(millrace.get("/api/regions/trades")).contains("\"records\":" + TRADES + ",");
            assertThat(millrace.get("/api/regions/latest")).contains("\"records\":" + TRADES + ",");
            assertThat(millrace.get(QUERY)).contains("{\"id\":" + TRADES + "}", "\"scanned\":" + TRADES + ",");
            assertThat(millrace.get("/api/regions/latest/12345")).contains("\"id\":12345,");
        }

        for (MillraceProcess millrace : List.of(first, ingest)) {
            assertThat(Objects.requireNonNull(millrace.get("/api/regions/trades/records?format=csv&select=id"))
                            .lines())
                    .hasSize(TRADES + 1)
                    .doesNotHaveDuplicates();
        }
        askFromJava();
        assertThat(example())
                .contains("Optional[Trade[id=", "currency2=USD", "{currency1=GBP, count()=", "sum(amount1)=");

        // Each goes in good order: what only it has is transferred, and nothing is counted twice.
        second.stop();
        assertThat(second.output()).contains("Region transferred: region=trades member=one");
        assertThat(ingest.get("/api/regions/trades")).contains("\"records\":" + TRADES + ",");
        assertThat(ingest.get("/api/regions/latest")).contains("\"records\":" + TRADES + ",");

        // The feed is known to be covered although the process that read it has gone.
        ingest.stop();
        MillraceProcess again = ingest("cluster.yml");
        again.awaitText("/api/pipelines/latest", "\"state\":\"done\"");
        again.awaitText("/api/pipelines/trades", "\"state\":\"done\"");
        assertThat(again.output()).contains("Pipeline trades continues: position=" + 39 * TRADES);
        assertThat(again.get("/api/regions/trades")).contains("\"records\":" + TRADES + ",");
    }

    /** A trade. */
    interface Trade {
        long getId();

        String getBuySell();
    }

    /** Runs the example of the documentation in a process of its own, with the library on its class path. */
    private String example() throws Exception {
        String tests = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String dependencies = Arrays.stream(tests.split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar") && !entry.contains("millrace"))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        OPENS.matcher(Files.readString(Path.of("docs/guides/queries.md")))
                .results()
                .forEach(open -> {
                    command.add("--add-opens");
                    command.add(open.group(1));
                });
        String classPath =
                String.join(File.pathSeparator, "target/millrace.jar.original", "target/test-classes", dependencies);
        command.addAll(List.of("-cp", classPath, CheapestPounds.class.getName(), "127.0.0.1:" + locatorPort));
        Path output = folder.resolve("example.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(TestTimeout.MAX)).isTrue();
        return Files.readString(output);
    }

    /** An application of one's own, which knows nothing but where the locator is. */
    private void askFromJava() {
        try (MillraceClient client = MillraceClient.connect("127.0.0.1:" + locatorPort)) {
            for (String region : List.of("trades", "latest")) {
                RegionClient<Trade> trades = client.region(region, Trade.class);
                assertThat(trades.all().stream().mapToLong(Trade::getId).sorted())
                        .hasSize(TRADES)
                        .doesNotHaveDuplicates()
                        .endsWith((long) TRADES);
                assertThat(trades.where("id == 4711").first())
                        .hasValueSatisfying(
                                trade -> assertThat(trade.getBuySell()).matches("Buy|Sell"));
                assertThat(trades.aggregate(null, List.of(), List.of("count()", "max(id)")))
                        .containsExactly(Map.of("count()", (long) TRADES, "max(id)", (long) TRADES));
            }
            assertThat(client.region("latest", Trade.class).get("12345"))
                    .hasValueSatisfying(trade -> assertThat(trade.getId()).isEqualTo(12_345));
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> client.region("tradez"))
                    .withMessageContaining("Region 'tradez' is not open on the servers of the cluster.");
        }
    }

    @Test
    void shouldSayBothDefinitionsWhereTheyDiffer() throws Exception {
        Files.writeString(
                folder.resolve("other.yml"),
                Files.readString(folder.resolve("cluster.yml")).replace("block-records: 1024", "block-records: 512"));
        locator();
        MillraceProcess first = server("one", "cluster.yml");
        first.awaitText("/actuator/health/readiness", READY);

        MillraceProcess second = server("two", "other.yml");
        MillraceProcess ingest = ingest("other.yml");

        for (MillraceProcess millrace : List.of(second, ingest)) {
            millrace.awaitText("/actuator/health/readiness", "Region 'trades' is configured here");
            assertThat(millrace.get("/actuator/health/readiness"))
                    .contains("block-records: '1024' is stored, '512' is configured");
        }
        assertThat(ingest.get("/api/pipelines/trades")).contains("\"kept\":0,");
    }

    @Test
    void shouldServeGfsh() throws Exception {
        withGfsh = true;
        int jmxPort = FreePort.next();
        locator("--millrace.geode.jmx-port=" + jmxPort);
        MillraceProcess server = server("one", "cluster.yml");
        server.awaitText("/actuator/health/readiness", READY);

        // What members say of themselves comes to the locator every two seconds.
        await().untilAsserted(() -> assertThat(Gfsh.run(
                        folder,
                        "connect --locator=127.0.0.1[" + locatorPort + "]",
                        "list members",
                        "list regions",
                        "describe region --name=/trades",
                        "describe member --name=one",
                        "rebalance --simulate=true"))
                .containsPattern("Successfully connected to: .host=\\S+, port=" + jmxPort)
                .containsPattern("locator +\\|.* .Coordinator.")
                .containsPattern("one +\\|")
                .containsSubsequence("List of regions", "latest\n", "trades\n")
                .containsPattern("Name +: trades\\s+Data Policy +: partition\\s+Hosting Members +: one")
                .containsPattern("Regions +: [^:]*trades\n")
                .contains("Executing - rebalance")
                .doesNotContain("Error occurred"));
    }

    @Test
    void shouldLetInOnlyThoseWithTheKeyAndThePassword() throws Exception {
        String[] secured = secured();
        String[] member =
                with(secured, "--millrace.geode.credentials.name=peer", "--millrace.geode.credentials.password=p1");
        String[] client =
                with(secured, "--millrace.geode.credentials.name=feeds", "--millrace.geode.credentials.password=p2");
        locator(member);
        MillraceProcess first = server("one", "cluster.yml", member);
        first.awaitText("/actuator/health/readiness", READY);

        MillraceProcess ingest = ingest("cluster.yml", client);
        ingest.awaitText("/api/pipelines/trades", "\"state\":\"done\"");
        assertThat(ingest.get(QUERY)).contains("{\"id\":" + TRADES + "}");
        ingest.stop();

        MillraceProcess guesses = ingest(
                "cluster.yml",
                with(secured, "--millrace.geode.credentials.name=feeds", "--millrace.geode.credentials.password=p1"));
        MillraceProcess plain = ingest("cluster.yml");
        MillraceProcess pretends = server("two", "cluster.yml", client);
        MillraceProcess plainPeer = server("three", "cluster.yml");
        guesses.awaitText("/actuator/health/readiness", "Unknown user or wrong password");
        plain.awaitText("/actuator/health/readiness", "No server of the cluster answers");
        for (MillraceProcess refused : List.of(pretends, plainPeer)) {
            refused.awaitText("/actuator/health/readiness", "can't join the cluster");
        }
        assertThat(first.get("/api/regions/trades")).contains("\"records\":" + TRADES + ",");
    }

    private String[] secured() throws Exception {
        Path keys = folder.resolve("keys.p12");
        Path certificate = folder.resolve("certificate.pem");
        Path trust = folder.resolve("trust.p12");
        keytool("-genkeypair", "-keystore", keys, "-alias", "cluster", "-keyalg", "EC", "-dname", "CN=cluster");
        keytool("-exportcert", "-rfc", "-keystore", keys, "-alias", "cluster", "-file", certificate);
        keytool("-importcert", "-noprompt", "-keystore", trust, "-alias", "cluster", "-file", certificate);
        String bundle = "--spring.ssl.bundle.jks.cluster.";
        return new String[] {
            bundle + "keystore.location=" + keys.toUri(),
            bundle + "keystore.password=" + PASSWORD,
            bundle + "truststore.location=" + trust.toUri(),
            bundle + "truststore.password=" + PASSWORD,
            "--millrace.geode.ssl-bundle=cluster",
            "--millrace.geode.users.peer.password=p1",
            "--millrace.geode.users.peer.role=member",
            "--millrace.geode.users.feeds.password=p2",
            "--millrace.geode.users.feeds.role=ingest"
        };
    }

    private static void keytool(Object... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        Arrays.stream(arguments).map(Object::toString).forEach(command::add);
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    private MillraceProcess locator(String... more) throws Exception {
        return start(
                "locator",
                "locator",
                with(
                        more,
                        "--millrace.geode.name=locator",
                        "--millrace.geode.bind-address=127.0.0.1",
                        "--millrace.geode.port=" + locatorPort));
    }

    private MillraceProcess server(String name, String config, String... more) throws Exception {
        return start(
                name,
                "server",
                with(
                        more,
                        folder.resolve(config).toString(),
                        "--millrace.geode.name=" + name,
                        "--millrace.geode.bind-address=127.0.0.1",
                        "--millrace.geode.port=" + FreePort.next()));
    }

    private MillraceProcess ingest(String config, String... more) throws Exception {
        return start(
                "ingest" + started.size(),
                "run",
                with(more, folder.resolve(config).toString()));
    }

    private MillraceProcess start(String name, String command, String... arguments) throws Exception {
        Path own = Files.createDirectories(folder.resolve(name));
        String[] all =
                with(arguments, command, "--server.port=0", "--millrace.geode.locators=127.0.0.1:" + locatorPort);
        MillraceProcess millrace = withGfsh ? MillraceProcess.startWithGfsh(own, all) : MillraceProcess.start(own, all);
        started.add(millrace);
        return millrace;
    }

    /** These, and the others before them. */
    private static String[] with(String[] more, String... first) {
        return Stream.concat(Arrays.stream(first), Arrays.stream(more)).toArray(String[]::new);
    }
}
