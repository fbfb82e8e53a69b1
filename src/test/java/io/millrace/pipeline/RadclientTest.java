package io.millrace.pipeline;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.application.MillraceApplication;
import io.millrace.feed.radius.RadiusFeed;
import io.millrace.schema.FieldType.EnumType;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * FreeRADIUS's own client against whole pipelines: what it gets answered is in the region, with the values it sent.
 * Skipped where {@code radclient} is not installed.
 */
@Timeout(value = 5, unit = MINUTES)
class RadclientTest {

    private static final String SECRET = "xyzzy5461";
    private static final String STATUS_SERVER =
            "0cb30026925f6b66dd5fed571fcb1db7ad3882605012e8d6eabda910875cd91fdade26367858";
    private static final String STATUS_ANSWER = "05b300140f6f92145f107e2f504e860a4860669c";

    /** Patient, since what is under test is not the machine's speed. */
    private static final String[] PATIENT = {"-t", "5", "-r", "5"};

    @TempDir
    static Path folder;

    private static @Nullable ConfigurableApplicationContext context;

    @BeforeAll
    static void start() throws Exception {
        if (!Radclient.isInstalled()) {
            return;
        }
        Path config =
                Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  data: %s
                  regions:
                    blocks: { layout: blocks }
                    entries: { layout: entries, key: [nasIp, sessionId, status, sessionTime] }
                  pipelines:
                    blocks:
                      feed: { radius: { port: 0, clients: [ { address: 127.0.0.1, secret: "%s" } ] } }
                      schema: radius-accounting
                      steps:
                        - to: blocks
                    entries:
                      feed: { radius: { port: 0, clients: [ { address: 127.0.0.1, secret: "%s" } ] } }
                      schema: radius-accounting
                      steps:
                        - to: entries
                """.formatted(folder.resolve("data"), SECRET, SECRET));
        context = SpringApplication.run(
                MillraceApplication.class, "--server.port=0", "--spring.config.additional-location=" + config.toUri());
        for (String name : List.of("blocks", "entries")) {
            await().ignoreExceptions().until(() -> port(name) != 0);
        }
    }

    /** For each test, since a class that is skipped as a whole is not among the skipped tests of the report. */
    @BeforeEach
    void needRadclient() {
        assumeTrue(context != null, "radclient is not installed; Debian's freeradius-utils has it");
    }

    @AfterAll
    static void stop() {
        if (context != null) {
            context.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocks", "entries"})
    void shouldStoreWhatItAnswers(String name) throws Exception {
        Radclient client = radclient(name, """
                Acct-Status-Type = Accounting-On
                Acct-Session-Id = "whole"
                NAS-IP-Address = 10.1.0.9
                NAS-Identifier = "ggsn-9"

                Acct-Status-Type = Start
                Acct-Session-Id = "whole"
                NAS-IP-Address = 10.1.0.9
                User-Name = "jörg@example"
                Framed-IP-Address = 100.64.0.7
                Framed-Protocol = GPRS-PDP-Context
                Called-Station-Id = "internet"
                Calling-Station-Id = "905321234567"
                Event-Timestamp = 1700000000
                3GPP-IMSI = "286011234567890"
                3GPP-Charging-ID = 4000000000
                3GPP-PDP-Type = 3
                3GPP-SGSN-Address = 10.9.0.1
                3GPP-GGSN-Address = 10.9.0.2
                3GPP-IMSI-MCC-MNC = "28601"
                3GPP-NSAPI = "5"
                3GPP-Selection-Mode = "0"
                3GPP-Charging-Characteristics = "0800"
                3GPP-IMEISV = "3534900698733101"
                3GPP-RAT-Type = EUTRAN
                3GPP-User-Location-Info = 0x8232f210426d32f21000013e02
                3GPP-MS-Time-Zone = 0x8001

                Acct-Status-Type = Interim-Update
                Acct-Session-Id = "whole"
                NAS-IP-Address = 10.1.0.9
                Acct-Session-Time = 600
                Acct-Input-Octets = 4294967295
                Acct-Output-Octets = 7
                Acct-Input-Gigawords = 2
                Acct-Output-Gigawords = 1
                3GPP-IMSI = "286011234567890"
                3GPP-RAT-Type = UTRAN
                3GPP-User-Location-Info = 0x013304202f4c8892

                Acct-Status-Type = Stop
                Acct-Session-Id = "whole"
                NAS-IP-Address = 10.1.0.9
                Acct-Session-Time = 1200
                Acct-Input-Octets = 5
                Acct-Output-Octets = 4294967295
                Acct-Input-Gigawords = 3
                Acct-Output-Gigawords = 2147483647
                Acct-Terminate-Cause = Lost-Carrier
                3GPP-IMSI = "286011234567890"
                3GPP-RAT-Type = GERAN
                3GPP-Session-Stop-Indicator = 255
                3GPP-User-Location-Info = 0x0032f8010001fffe

                Acct-Status-Type = Accounting-Off
                Acct-Session-Id = "whole"
                NAS-IP-Address = 10.1.0.9
                """);

        assertThat(client.exit()).as(client.output()).isZero();
        assertThat(client.answers()).isEqualTo(5);
        assertThat(found(name, "sessionId == 'whole'")).hasSize(5);
        assertThat(only(name, "sessionId == 'whole' and status == 'Accounting-On'"))
                .containsEntry("nasIdentifier", "ggsn-9")
                .containsEntry("nasIp", "10.1.0.9")
                .containsEntry("imsi", null)
                .containsEntry("sessionTime", null);
        assertThat(only(name, "sessionId == 'whole' and status == 'Start'"))
                .containsEntry("userName", "jörg@example")
                .containsEntry("framedIp", "100.64.0.7")
                .containsEntry("framedProtocol", 7L)
                .containsEntry("apn", "internet")
                .containsEntry("msisdn", "905321234567")
                .containsEntry("time", Instant.ofEpochSecond(1_700_000_000))
                .containsEntry("imsi", "286011234567890")
                .containsEntry("chargingId", 4_000_000_000L)
                .containsEntry("pdpType", "IPv4v6")
                .containsEntry("sgsn", "10.9.0.1")
                .containsEntry("ggsn", "10.9.0.2")
                .containsEntry("imsiNetwork", "28601")
                .containsEntry("nsapi", "5")
                .containsEntry("selectionMode", "0")
                .containsEntry("chargingCharacteristics", "0800")
                .containsEntry("imeisv", "3534900698733101")
                .containsEntry("rat", "EUTRAN")
                .containsEntry("locationType", "TAI+ECGI")
                .containsEntry("network", "23201")
                .containsEntry("tac", 17005L)
                .containsEntry("eci", 318L << 8 | 2)
                .containsEntry("timezone", 120L)
                .containsEntry("daylightSaving", 1L);
        assertThat(only(name, "sessionId == 'whole' and cell == 34962"))
                .containsEntry("status", "Interim-Update")
                .containsEntry("rat", "UTRAN")
                .containsEntry("locationType", "SAI")
                .containsEntry("network", "334020")
                .containsEntry("lac", 12108L);
        assertThat(only(name, "sessionId == 'whole' and cell == 65534"))
                .containsEntry("status", "Stop")
                .containsEntry("rat", "GERAN")
                .containsEntry("locationType", "CGI")
                .containsEntry("network", "23810")
                .containsEntry("terminateCause", "Lost-Carrier")
                .containsEntry("sessionStop", 255L);
        assertThat(only(name, "sessionId == 'whole' and cell == 81410")).containsEntry("status", "Start");
        // 2 x 2^32 + 2^32 - 1, and 2^32 + 7.
        assertThat(only(name, "inputTotal == 12884901887L and outputTotal == 4294967303L"))
                .containsEntry("sessionTime", 600L);
        assertThat(only(name, "inputTotal == 12884901893L and outputTotal == 9223372036854775807L"))
                .containsEntry("sessionTime", 1200L);
    }

    @ParameterizedTest
    @CsvSource({"status, Acct-Status-Type", "terminateCause, Acct-Terminate-Cause"})
    void shouldKnowValuesByTheNamesOfFreeRadius(String field, String attribute) throws Exception {
        Collection<String> names = enumNames(field);
        String session = "names of " + field;
        String status = field.equals("status") ? "" : "Acct-Status-Type = Stop\n";
        String requests = names.stream()
                .map(name -> "%s%s = %s\nAcct-Session-Id = \"%s\"\nNAS-IP-Address = 10.1.0.1\nUser-Name = \"%s\"\n"
                        .formatted(status, attribute, name, session, name))
                .collect(Collectors.joining("\n"));

        Radclient client = radclient("blocks", requests);

        assertThat(client.exit()).as(client.output()).isZero();
        List<Map<String, @Nullable Object>> found = found("blocks", "sessionId == '" + session + "'");
        assertThat(found).extracting(record -> record.get(field)).containsExactlyElementsOf(names);
        assertThat(found).allSatisfy(record -> assertThat(record).containsEntry("userName", record.get(field)));
    }

    @Test
    void shouldAnswerARetransmissionTheSameWayAndStoreItOnce() throws Exception {
        long repeated = count("blocks", "repeated");
        try (LossyRelay relay = new LossyRelay(port("blocks"), 2)) {
            Radclient client =
                    Radclient.run(folder, relay.port(), "acct", SECRET, start("again"), "-t", "1", "-r", "20");

            assertThat(client.exit()).as(client.output()).isZero();
            assertThat(relay.requests())
                    .hasSizeGreaterThanOrEqualTo(3)
                    .containsOnly(relay.requests().getFirst());
            assertThat(relay.answers())
                    .hasSizeGreaterThanOrEqualTo(3)
                    .containsOnly(relay.answers().getFirst());
            await().untilAsserted(() -> assertThat(count("blocks", "repeated") - repeated)
                    .isEqualTo(relay.answers().size() - 1));
        }
        assertThat(found("blocks", "sessionId == 'again'")).hasSize(1);
    }

    @Test
    void shouldEchoProxyStatesInOrder() throws Exception {
        try (LossyRelay relay = new LossyRelay(port("blocks"), 0)) {
            String request = """
                    Proxy-State = 0x7a31
                    Acct-Status-Type = Start
                    Proxy-State = 0x6132
                    Acct-Session-Id = "echo"
                    Proxy-State = 0x6131ff00
                    NAS-IP-Address = 10.1.0.1
                    Proxy-State = 0x6132
                    """;
            Radclient client = Radclient.run(folder, relay.port(), "acct", SECRET, request, PATIENT);

            assertThat(client.exit()).as(client.output()).isZero();
            assertThat(client.proxyStates()).containsExactly("0x7a31", "0x6132", "0x6131ff00", "0x6132");
            assertThat(relay.answers().getFirst())
                    .hasSize(2 * (20 + 4 + 4 + 6 + 4))
                    .endsWith("21047a31" + "21046132" + "21066131ff00" + "21046132");
        }
        assertThat(only("blocks", "sessionId == 'echo'")).containsEntry("proxyStates", 4L);
    }

    @Test
    void shouldNotAnswerAWrongSecret() throws Exception {
        long before = count("blocks", "discarded-bad-authenticator");

        Radclient client =
                Radclient.run(folder, port("blocks"), "acct", "another", start("wrong"), "-t", "0.5", "-r", "2");

        assertThat(client.exit()).isEqualTo(1);
        assertThat(client.output()).contains("No reply from server");
        assertThat(client.answers()).isZero();
        await().untilAsserted(() -> assertThat(count("blocks", "discarded-bad-authenticator") - before)
                .isEqualTo(2));
        assertThat(found("blocks", "sessionId == 'wrong'")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "discarded-missing-attribute, NAS-Port = 1",
        "discarded-forbidden-attribute, NAS-IP-Address = 10.1.0.1; Reply-Message = no",
        "discarded-repeated-attribute, NAS-IP-Address = 10.1.0.1; Acct-Session-Id = refused2",
    })
    void shouldNotAnswerWhatIsNoAccountingRequest(String counter, String attributes) throws Exception {
        long before = count("blocks", counter);
        String request =
                "Acct-Status-Type = Start\nAcct-Session-Id = refused\n" + attributes.replace("; ", "\n") + "\n";

        Radclient client = Radclient.run(folder, port("blocks"), "acct", SECRET, request, "-t", "0.5", "-r", "1");

        assertThat(client.output()).contains("No reply from server");
        await().untilAsserted(
                        () -> assertThat(count("blocks", counter) - before).isEqualTo(1));
        assertThat(found("blocks", "sessionId == 'refused'")).isEmpty();
    }

    @Test
    void shouldAnswerStatusServer() throws Exception {
        Radclient client =
                Radclient.run(folder, port("blocks"), "status", SECRET, "Message-Authenticator = 0x00\n", PATIENT);

        assertThat(client.exit()).as(client.output()).isZero();
        assertThat(client.answers()).isEqualTo(1);
        try (DatagramSocket socket = connected("blocks")) {
            send(socket, STATUS_SERVER);
            assertThat(receive(socket)).isEqualTo(STATUS_ANSWER);
        }
    }

    @Test
    void shouldNotAnswerMalformedPackets() throws Exception {
        String zeros = "00".repeat(16);
        Map<String, List<String>> malformed = Map.of(
                "discarded-truncated", List.of("04", "04010014" + "00".repeat(15), "04010030" + zeros),
                "discarded-bad-length", List.of("04010013" + zeros, "04010000" + zeros, "0401ffff" + zeros),
                "discarded-unexpected-code", List.of("01010014" + zeros, "05010014" + zeros, "ff010014" + zeros),
                "discarded-malformed-attribute",
                        List.of(
                                "04010015" + zeros + "28",
                                "04010016" + zeros + "2800",
                                "04010016" + zeros + "2801",
                                "04010018" + zeros + "28060000"),
                "discarded-bad-authenticator", List.of("0401001d" + zeros + "280600000001" + "2c0361"));
        Map<String, Long> before = new HashMap<>();
        malformed.keySet().forEach(counter -> before.put(counter, count("blocks", counter)));
        long in = PipelineStatus.of(pipeline("blocks")).in();

        try (DatagramSocket socket = connected("blocks")) {
            for (List<String> packets : malformed.values()) {
                for (String packet : packets) {
                    send(socket, packet);
                }
            }
            // Datagrams are worked in order, so the first answer is to the last.
            send(socket, STATUS_SERVER);
            assertThat(receive(socket)).isEqualTo(STATUS_ANSWER);
        }

        malformed.forEach((counter, packets) -> assertThat(count("blocks", counter) - before.getOrDefault(counter, 0L))
                .as(counter)
                .isEqualTo(packets.size()));
        assertThat(PipelineStatus.of(pipeline("blocks")).in()).isEqualTo(in);
    }

    private static String start(String session) {
        return """
                Acct-Status-Type = Start
                Acct-Session-Id = "%s"
                NAS-IP-Address = 10.1.0.1
                """.formatted(session);
    }

    private static Radclient radclient(String name, String requests) throws IOException, InterruptedException {
        return Radclient.run(folder, port(name), "acct", SECRET, requests, PATIENT);
    }

    private static Collection<String> enumNames(String field) {
        return Schemas.builtIn().get("radius-accounting").fields().stream()
                .filter(candidate -> candidate.name().equals(field))
                .map(candidate ->
                        ((EnumType) candidate.type()).dictionary().namesByCode().values())
                .findFirst()
                .orElseThrow();
    }

    private static List<Map<String, @Nullable Object>> found(String region, String where) {
        return context().getBean(Store.class).query(region, Query.where(where)).records();
    }

    private static Map<String, @Nullable Object> only(String region, String where) {
        List<Map<String, @Nullable Object>> found = found(region, where);
        assertThat(found).as(where).hasSize(1);
        return found.getFirst();
    }

    private static long count(String name, String counter) {
        return PipelineStatus.of(pipeline(name)).feed().getOrDefault(counter, 0L);
    }

    private static int port(String name) {
        return ((RadiusFeed) pipeline(name).feed()).address().getPort();
    }

    private static Pipeline pipeline(String name) {
        return context().getBean(Pipelines.class).named(name).orElseThrow();
    }

    private static ConfigurableApplicationContext context() {
        if (context == null) {
            throw new IllegalStateException("the service was not started");
        }
        return context;
    }

    private static DatagramSocket connected(String name) throws IOException {
        DatagramSocket socket = new DatagramSocket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port(name)));
        socket.setSoTimeout((int) MINUTES.toMillis(1));
        return socket;
    }

    private static void send(DatagramSocket socket, String hex) throws IOException {
        byte[] octets = HexFormat.of().parseHex(hex);
        socket.send(new DatagramPacket(octets, octets.length));
    }

    private static String receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        socket.receive(packet);
        return HexFormat.of().formatHex(Arrays.copyOf(packet.getData(), packet.getLength()));
    }
}
