package io.millrace.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.FreePort;
import io.millrace.config.ConnectionItem;
import io.millrace.kafka.KafkaBroker;
import io.millrace.kafka.KafkaTopics;
import io.millrace.kafka.TestBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code check --connect}. */
class ConnectionsTest {

    @RegisterExtension
    static final TestBroker BROKER = new TestBroker();

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String rootProperties = "";
    private int exitCode;

    @BeforeEach
    void makeAFeed() throws IOException {
        Files.write(folder.resolve("trades.bin"), new byte[39]);
        Files.createFile(folder.resolve("config.yml"));
    }

    /** Runs the command on a configuration with these feeds by pipeline, and these other properties of Millrace. */
    private List<String> check(Map<String, String> feeds, String others) throws IOException {
        StringBuilder yaml = new StringBuilder("server.port: 0\nmillrace:\n  pipelines:\n");
        new TreeMap<>(feeds)
                .forEach((name, feed) -> yaml.append("""
                        NAME:
                          feed: FEED
                          schema: trade
                          steps: [ { to: trades } ]
                    """.replace("NAME", name).replace("FEED", feed)));
        if (!others.contains("regions:")) {
            yaml.append("  regions: { trades: { layout: blocks } }\n");
        }
        yaml.append(others.indent(2)).append(rootProperties);
        Path file =
                Files.writeString(folder.resolve("config.yml"), yaml.toString().replace("FOLDER", folder.toString()));
        exitCode = new CommandLine(new CheckCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute("--connect", file.toString());
        return out.toString().replace(folder.toString(), "FOLDER").lines().toList();
    }

    private static String kafka(String servers, String topic) {
        return "{ kafka: { bootstrap-servers: '" + servers + "', topics: " + topic + " } }";
    }

    private static String servers() {
        return BROKER.broker().bootstrapServers();
    }

    private Map<String, Long> files() throws IOException {
        Map<String, Long> files = new TreeMap<>();
        try (Stream<Path> found = Files.walk(folder)) {
            for (Path file : found.filter(path -> !path.endsWith("config.yml")).toList()) {
                files.put(file.toString(), Files.getLastModifiedTime(file).toMillis());
            }
        }
        return files;
    }

    @Test
    void shouldReachEverythingAndChangeNothing() throws Exception {
        BROKER.topics().create("trades", 4);
        BROKER.topics().create("sells", 1);
        BROKER.topics().send("trades", 1, List.of(new byte[39], new byte[39]));
        BROKER.topics().send("trades", 3, List.of(new byte[39]));
        Files.writeString(folder.resolve("desks.csv"), "id,name\n1,Spot\n2,Forward\n");
        Files.createDirectory(folder.resolve("present"));
        Map<String, Long> before = files();
        int port = FreePort.next();
        assertThat(check(
                        Map.of(
                                "a",
                                kafka(servers(), "trades").replace(" } }", ", group: shown } }"),
                                "b",
                                "{ file: FOLDER/trades.bin, final: true }",
                                "c",
                                "{ generator: { count: 1 } }",
                                "d",
                                "{ tcp: { port: " + port + " } }"),
                        """
                        data: FOLDER/data
                        regions: { trades: { layout: blocks, persistent: true } }
                        tables: { desks: { file: FOLDER/desks.csv, key: id } }
                        outputs:
                          here: { file: { folder: FOLDER/present } }
                          there: { file: { folder: FOLDER/absent/out } }
                          topic: { kafka: { bootstrap-servers: '%s', topic: sells } }
                        """.formatted(servers())))
                .containsExactly(
                        "Fine: 4 pipelines, 1 region, 3 outputs.",
                        "Connections:",
                        "  feed of a: topic trades of " + servers()
                                + ": ok, 4 partitions, at most 3 messages, first offset 0",
                        "  feed of b: file FOLDER/trades.bin: ok, 39 bytes",
                        "  feed of c: generator: nothing to connect to",
                        "  feed of d: TCP at 127.0.0.1:" + port + ": ok, port " + port + " is free",
                        "  output here: files in FOLDER/present: ok",
                        "  output there: files in FOLDER/absent/out: ok, the folder will be created",
                        "  output topic: topic sells of " + servers() + ": ok, 1 partition",
                        "  table desks: FOLDER/desks.csv: ok, 2 rows",
                        "  data folder: FOLDER/data: ok, the folder will be created",
                        "  HTTP server: *:0: ok, any free port");
        assertThat(err).hasToString("");
        assertThat(exitCode).isZero();
        assertThat(files()).isEqualTo(before);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers()))) {
            assertThat(KafkaTopics.get(admin.listGroups().all()))
                    .extracting(GroupListing::groupId)
                    .doesNotContain("shown");
            assertThat(KafkaTopics.get(admin.listTransactions().all())).isEmpty();
            assertThat(KafkaTopics.get(admin.listTopics().names())).contains("trades", "sells");
        }
        assertThat(BROKER.topics().read("sells")).isEmpty();
    }

    @Test
    void shouldReportTopicsThatDoNotExistAndNotCreateThem() throws Exception {
        try (KafkaBroker broker =
                        KafkaBroker.start(folder.resolve("broker"), Map.of("auto.create.topics.enable", "true"));
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            String servers = broker.bootstrapServers();
            assertThat(check(
                            Map.of("a", kafka(servers, "absent")),
                            "outputs: { o: { kafka: { bootstrap-servers: '" + servers + "', topic: gone } } }"))
                    .contains(
                            "  feed of a: topic absent of " + servers + ": failed: The brokers at " + servers
                                    + " have no topic 'absent'.",
                            "  output o: topic gone of " + servers + ": failed: The brokers at " + servers
                                    + " have no topic 'gone'.");
            assertThat(err).hasToString("2 connections of 3 failed. [connection-failed]\n");
            assertThat(exitCode).isOne();
            assertThat(KafkaTopics.get(admin.listTopics().names())).isEmpty();
        }
    }

    @Test
    void shouldReportBrokersThatDoNotAnswerAndCheckTheRest() throws Exception {
        String dead = "127.0.0.1:" + FreePort.next();
        assertThat(check(
                        Map.of(
                                "a", kafka(dead, "trades"),
                                "b", kafka("nowhere.invalid:9092", "trades"),
                                "c", "{ file: FOLDER/trades.bin }",
                                "d",
                                        kafka(dead, "trades")
                                                .replace(
                                                        " } }",
                                                        ", properties: { security.protocol: SSL,"
                                                                + " ssl.truststore.location: /absent.jks } } }")),
                        ""))
                .contains(
                        "  feed of a: topic trades of " + dead + ": failed: No broker at " + dead
                                + " answers within 3 s. Check the addresses, and 'security.protocol' under"
                                + " 'properties'.",
                        "  feed of b: topic trades of nowhere.invalid:9092: failed: Kafka at nowhere.invalid:9092"
                                + " failed: No resolvable bootstrap urls given in bootstrap.servers",
                        "  feed of c: file FOLDER/trades.bin: ok, 39 bytes",
                        "  feed of d: topic trades of " + dead + ": failed: Kafka at " + dead
                                + " failed: Failed to load SSL keystore /absent.jks of type JKS");
        assertThat(exitCode).isOne();
    }

    @Test
    void shouldReportMorePartitionsThanThePipelineHas() throws Exception {
        BROKER.topics().create("wide", 17);
        assertThat(check(Map.of("a", kafka(servers(), "wide")), ""))
                .contains(
                        "  feed of a: topic wide of " + servers() + ": failed: Topic 'wide' has 17 partitions, but the"
                                + " pipeline has 16 for it. Set partitions: 17, or more if partitions may be added to the topic.");
        assertThat(exitCode).isOne();
    }

    @Test
    void shouldWarnOfMembersOfTheGroup() throws Exception {
        BROKER.topics().create("shared", 1);
        try (KafkaConsumer<byte[], byte[]> member = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers(), "group.id", "busy", "enable.auto.commit", "false"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            member.subscribe(List.of("shared"));
            while (member.assignment().isEmpty()) {
                member.poll(Duration.ofMillis(100));
            }
            assertThat(check(Map.of("a", kafka(servers(), "shared").replace(" } }", ", group: busy } }")), ""))
                    .containsSubsequence(
                            "  feed of a: topic shared of " + servers() + ": ok, 1 partition, no messages",
                            "  feed of a: topic shared of " + servers() + ": warning: group 'busy' has 1 member, so"
                                    + " the pipeline can't commit its position to it. Stop them, or name another"
                                    + " group.");
        }
        assertThat(exitCode).isZero();
        assertThat(BROKER.topics().committed("busy", "shared", 0)).isNull();
    }

    @Test
    void shouldReportMissingPermissions() throws Exception {
        Map<String, String> authorizer = Map.of(
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "allow.everyone.if.no.acl.found", "true");
        try (KafkaBroker broker = KafkaBroker.start(folder.resolve("broker"), authorizer);
                KafkaTopics topics = new KafkaTopics(broker.bootstrapServers());
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            for (String topic : List.of("hidden", "described")) {
                topics.create(topic, 1);
            }
            KafkaTopics.get(admin.createAcls(List.of(
                            acl("hidden", AclOperation.ALL, AclPermissionType.DENY),
                            acl("described", AclOperation.DESCRIBE, AclPermissionType.ALLOW)))
                    .all());
            String servers = broker.bootstrapServers();
            assertThat(check(
                            Map.of("a", kafka(servers, "hidden"), "b", kafka(servers, "described")),
                            "outputs: { o: { kafka: { bootstrap-servers: '" + servers + "', topic: described } } }"))
                    .contains(
                            "  feed of a: topic hidden of " + servers
                                    + ": failed: The user has no permission to describe topic 'hidden'. Allow it.",
                            "  feed of b: topic described of " + servers
                                    + ": failed: The user has no permission to read topic 'described'. Allow it.",
                            "  output o: topic described of " + servers
                                    + ": failed: The user has no permission to write topic 'described'. Allow it.");
        }
    }

    private static AclBinding acl(String topic, AclOperation operation, AclPermissionType permission) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:ANONYMOUS", "*", operation, permission));
    }

    @Test
    void shouldReportPortsThatAreInUse() throws Exception {
        int shared = FreePort.next();
        try (ServerSocket tcp = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DatagramSocket udp = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            List<String> lines = check(
                    Map.of(
                            "a", "{ tcp: { port: " + tcp.getLocalPort() + " } }",
                            "c", "{ tcp: { port: " + shared + " } }",
                            "d", "{ tcp: { port: " + shared + " } }"),
                    """
                      r:
                        feed: { radius: { port: PORT, clients: [ { address: 127.0.0.1, secret: s } ] } }
                        schema: radius-accounting
                        steps: [ { to: calls } ]
                    regions: { trades: { layout: blocks }, calls: { layout: blocks } }
                    """.replace("PORT", Integer.toString(udp.getLocalPort())));
            String free = ". Use an address of this machine, and a port that is free.";
            assertThat(lines)
                    .contains(
                            "  feed of a: TCP at 127.0.0.1:" + tcp.getLocalPort()
                                    + ": failed: Unable to listen on 127.0.0.1:" + tcp.getLocalPort()
                                    + ": Address already in use" + free,
                            "  feed of r: RADIUS at 127.0.0.1:" + udp.getLocalPort()
                                    + ": failed: Unable to listen on 127.0.0.1:" + udp.getLocalPort()
                                    + ": Address already in use" + free);
            assertThat(lines)
                    .filteredOn(line -> line.contains(":" + shared))
                    .hasSize(2)
                    .satisfiesOnlyOnce(line -> assertThat(line).contains("ok"))
                    .satisfiesOnlyOnce(line -> assertThat(line).contains("Address already in use"));
        }
        try (ServerSocket released = new ServerSocket(shared, 1, InetAddress.getLoopbackAddress())) {
            assertThat(released.isBound()).isTrue();
        }
    }

    @Test
    void shouldReportFilesAndFoldersThatCannotBeUsed() throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        Path lock = Files.writeString(data.resolve("millrace.lock"), "host-1 (process 7)\n");
        try (FileChannel held = FileChannel.open(lock, StandardOpenOption.WRITE);
                var _ = held.lock(Long.MAX_VALUE - 1, 1, false)) {
            assertThat(check(Map.of("a", "{ file: FOLDER/trades.bin }"), """
                            data: FOLDER/data
                            regions: { trades: { layout: blocks, persistent: true } }
                            outputs: { o: { file: { folder: FOLDER/trades.bin/out } } }
                            """))
                    .contains(
                            "  output o: files in FOLDER/trades.bin/out: failed: 'FOLDER/trades.bin' is a file. Name a"
                                    + " folder.",
                            "  data folder: FOLDER/data: failed: Folder 'FOLDER/data' is in use by host-1 (process 7)."
                                    + " A data folder belongs to one process: stop that one, or name another folder."
                                    + " [locked-folder]");
        }
        assertThat(err).hasToString("2 connections of 4 failed. [connection-failed]\n");
        assertThat(lock).hasContent("host-1 (process 7)\n");
    }

    @Test
    void shouldReportAMissingFileBeforeAnythingIsReached() throws Exception {
        assertThat(check(Map.of("a", "{ file: FOLDER/absent.bin }"), "")).isEmpty();
        assertThat(err.toString()).contains("absent.bin", "[unreadable-file]");
        assertThat(exitCode).isOne();
    }

    @Test
    void shouldReportLocatorsAndBundlesThatCannotBeUsed() throws Exception {
        String dead = "127.0.0.1:" + FreePort.next();
        rootProperties = """
                management.server: { port: 1, address: 192.0.2.1 }
                spring.ssl.bundle:
                  pem.absent.keystore: { certificate: FOLDER/absent.crt, private-key: FOLDER/absent.key }
                  jks.broken.keystore: { location: FOLDER/trades.bin, password: changeit }
                """;
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try {
                    other.accept().close();
                } catch (IOException e) {
                    // The test has ended.
                }
            });
            String silent = "127.0.0.1:" + other.getLocalPort();
            assertThat(check(
                            Map.of("a", "{ generator: { count: 1 } }"),
                            "geode: { locators: [ '%s', '%s', 'nowhere.invalid:10334', x ] }".formatted(dead, silent)))
                    .containsExactly(
                            "Fine: 1 pipeline, 1 region.",
                            "Connections:",
                            "  feed of a: generator: nothing to connect to",
                            "  SSL bundle: absent: failed: Could not load SSL context: Unable to create key store: Error"
                                    + " reading certificate or key from file 'FOLDER/absent.crt'",
                            "  SSL bundle: broken: failed: Could not load SSL context: Unable to create key store: Could"
                                    + " not load store from 'FOLDER/trades.bin': toDerInputStream rejects tag type 0",
                            "  locator: " + dead + ": failed: No locator at " + dead
                                    + ": Connection refused. Check the address, and 'millrace.geode.ssl-bundle'.",
                            "  locator: " + silent + ": failed: No locator at " + silent
                                    + ": it does not answer as a locator. Check the address, and"
                                    + " 'millrace.geode.ssl-bundle'.",
                            "  locator: nowhere.invalid:10334: failed: No locator at nowhere.invalid:10334: unknown"
                                    + " host. Check the address, and 'millrace.geode.ssl-bundle'.",
                            "  locator: x: failed: Invalid address 'x'. Use host:port.",
                            "  HTTP server: *:0: ok, any free port",
                            "  HTTP server of actuator: 192.0.2.1:1: failed: Unable to listen on 192.0.2.1:1: Cannot"
                                    + " assign requested address. Use an address of this machine, and a port that is"
                                    + " free.");
        }
    }

    @Test
    void shouldReportWhatDoesNotEndAndWhatIsNotChecked() {
        CountDownLatch never = new CountDownLatch(1);
        ConnectionReport report = ConnectionReport.of(List.of(
                new ConnectionItem("feed of a", "the dark", check -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        never.countDown();
                    }
                }),
                new ConnectionItem("feed of b", "a kind without a check", _ -> {}),
                new ConnectionItem("output c", "a library that is absent", _ -> {
                    throw new NoClassDefFoundError("acme/Queue");
                })));
        assertThat(report.lines())
                .containsExactly(
                        "feed of a: the dark: failed: No answer within 5 s.",
                        "feed of b: a kind without a check: not checked",
                        "output c: a library that is absent: failed: acme/Queue");
        assertThat(report.failed()).isEqualTo(2);
    }
}
