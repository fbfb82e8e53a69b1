package io.millrace.cli.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.FairShare;
import io.millrace.feed.Feed;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.Split;
import io.millrace.feed.generator.GeneratorFeed;
import io.millrace.feed.pcap.PcapFeed;
import io.millrace.feed.pcap.PortFilter;
import io.millrace.feed.radius.AddressRange;
import io.millrace.feed.radius.RadiusClient;
import io.millrace.feed.radius.RadiusFeed;
import io.millrace.feed.radius.RadiusSettings;
import io.millrace.feed.radius.packet.AccountingRequestFramer;
import io.millrace.feed.radius.packet.Secret;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Timeout(value = 15, unit = TimeUnit.MINUTES)
class GenerateCommandTest {

    private static final Schema ACCOUNTING = Schemas.builtIn().get("radius-accounting");
    private static final int IP_AT = 14;
    private static final int UDP_AT = 34;
    private static final int RADIUS_AT = 42;

    /** More than a batch of the generator, with starts, tellings and ends of sessions. */
    private static final int EVENTS = 9000;

    @TempDir
    private Path folder;

    private String reported = "";

    private int generate(Object... arguments) {
        StringWriter text = new StringWriter();
        int exit = new CommandLine(new GenerateCommand())
                .setErr(new PrintWriter(text))
                .setOut(new PrintWriter(text))
                .execute(Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
        reported = text.toString().replace(folder + "/", "");
        return exit;
    }

    @ParameterizedTest
    @CsvSource({"testing123,", "another secret,another secret"})
    void shouldWriteACaptureOfWhatTheFeedBrings(String secret, String option) throws IOException {
        Path file = folder.resolve("x.pcap");
        List<Object> arguments = new ArrayList<>(
                List.of("--schema", "radius-accounting", "--count", EVENTS, "--seed", 7, "--pcap", file));
        if (option != null) {
            arguments.addAll(List.of("--secret", option));
        }

        assertThat(generate(arguments.toArray())).isZero();

        assertThat(reported).isEmpty();
        PcapFeed capture = new PcapFeed(
                file,
                new PortFilter(1813, PortFilter.Side.DESTINATION),
                new AccountingRequestFramer(Secret.of(secret)),
                0,
                64);
        assertThat(read(capture)).isEqualTo(fed(EVENTS, 7));
        assertThat(capture.counts())
                .hasEntrySatisfying("forged", forged -> assertThat(forged.get()).isZero());
    }

    @Test
    void shouldCaptureEachRequestAtItsTimeWithRightChecksums() throws IOException {
        Path file = folder.resolve("x.pcap");
        assertThat(generate("--schema", "radius-accounting", "--count", 500, "--pcap", file))
                .isZero();

        ByteBuffer pcap = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        pcap.position(24);
        long last = 0;
        int packets = 0;
        Map<Integer, Integer> byNas = new HashMap<>();
        for (; pcap.hasRemaining(); packets++) {
            long second = pcap.getInt();
            long nanos = second * 1_000_000_000 + pcap.getInt();
            assertThat(nanos).isGreaterThan(last);
            last = nanos;
            byte[] bytes = new byte[pcap.getInt()];
            assertThat(pcap.getInt()).isEqualTo(bytes.length);
            pcap.get(bytes);
            ByteBuffer frame = ByteBuffer.wrap(bytes);
            assertThat(sum(frame, IP_AT, UDP_AT)).isZero();
            // The pseudo header holds both addresses, the protocol's number and the length (RFC 768).
            assertThat((sum(frame, IP_AT + 12, bytes.length) + 17 + bytes.length - UDP_AT) % 0xFFFF)
                    .isZero();
            assertThat(frame.getInt(IP_AT + 12)).isEqualTo(frame.getInt(attributeAt(bytes, 4)));
            int earlier = byNas.merge(frame.getInt(IP_AT + 12), 1, Integer::sum) - 1;
            assertThat(bytes[RADIUS_AT + 1]).isEqualTo((byte) earlier);
            assertThat(second).isEqualTo(frame.getInt(attributeAt(bytes, 55)));
        }
        assertThat(packets).isEqualTo(500);
    }

    private static long sum(ByteBuffer frame, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += (long) (frame.get(i) & 0xFF) << ((i - from) % 2 == 0 ? 8 : 0);
        }
        return sum % 0xFFFF;
    }

    private static int attributeAt(byte[] frame, int type) {
        int at = RADIUS_AT + 20;
        while (frame[at] != type) {
            at += frame[at + 1];
        }
        return at + 2;
    }

    @Test
    void shouldSendToAServerAndReportItsAnswers() throws Exception {
        try (RadiusFeed server = server("a secret")) {
            server.open(0);
            CompletableFuture<List<String>> taken = CompletableFuture.supplyAsync(() -> take(server, EVENTS));

            int exit = generate(
                    "--schema",
                    "radius-accounting",
                    "--count",
                    EVENTS,
                    "--udp",
                    "127.0.0.1:" + server.address().getPort(),
                    "--secret",
                    "a secret");

            assertThat(reported)
                    .startsWith("sent 9000, answered 9000, sent again ")
                    .containsPattern(", wrong answers 0; \\d+ answers/s; latency p50 [\\d.]+ us, p99 [\\d.]+ us\n$");
            assertThat(exit).isZero();
            assertThat(taken.get()).containsExactlyInAnyOrderElementsOf(fed(EVENTS, 1));
        }
    }

    @Test
    void shouldSendAgainWhatIsNotAnswered() throws Exception {
        try (RadiusFeed server = server("testing123")) {
            server.open(0);
            // Nothing is answered until a request has come again.
            CompletableFuture<List<String>> taken = CompletableFuture.supplyAsync(() -> {
                Counter again = Objects.requireNonNull(server.counts().get("discarded-in-progress"));
                await().until(() -> again.get() > 0);
                return take(server, 1000);
            });

            int exit = generate(
                    "--schema",
                    "radius-accounting",
                    "--count",
                    1000,
                    "--udp",
                    "127.0.0.1:" + server.address().getPort());

            assertThat(reported)
                    .startsWith("sent 1000, answered 1000, sent again ")
                    .doesNotContain("sent again 0,");
            assertThat(exit).isZero();
            assertThat(taken.get()).containsExactlyInAnyOrderElementsOf(fed(1000, 1));
        }
    }

    @Test
    void shouldSendAtARate() throws Exception {
        try (RadiusFeed server = server("testing123")) {
            server.open(0);
            CompletableFuture<List<String>> taken = CompletableFuture.supplyAsync(() -> take(server, 50));
            long before = System.nanoTime();

            int exit = generate(
                    "--schema",
                    "radius-accounting",
                    "--count",
                    50,
                    "--udp",
                    "localhost:" + server.address().getPort(),
                    "--rate",
                    100);

            // The last of fifty is due after half a second, and never earlier.
            assertThat(System.nanoTime() - before).isGreaterThan(400_000_000L);
            assertThat(exit).isZero();
            assertThat(taken.get()).hasSize(50);
        }
    }

    @Test
    void shouldGiveUpWhereNobodyAnswers() {
        int port = FreePort.next();

        int exit = generate("--schema", "radius-accounting", "--count", 1000, "--udp", "127.0.0.1:" + port);

        assertThat(exit).isOne();
        assertThat(reported)
                .startsWith("sent 256, answered 0, sent again ")
                .contains(
                        "Missing responses from '127.0.0.1:" + port + "': 0 of 1000 requests were answered, and none in"
                                + " the last five seconds. Check the address and the secret. [no-answer]\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--schema trade                           | Use exactly one of: OUT, --pcap FILE, --udp HOST:PORT.",
                "--schema trade out.bin --pcap x.pcap     | Use exactly one of: OUT, --pcap FILE, --udp HOST:PORT.",
                "--schema trade --rate 5 out.bin          | '--rate' has no effect without '--udp'.",
                "--schema radius-accounting --rate 5 --pcap x | '--rate' has no effect without '--udp'.",
                "--schema radius-accounting --rate 0 --udp 127.0.0.1:1813 | Invalid --rate '0'. Use 1 or more.",
                "--schema trade --secret s out.bin        | '--secret' has no effect without",
            })
    void shouldRefuseWrongUsage(String arguments, String message) {
        assertThat(generate((Object[]) ("--count 1 " + arguments).split(" "))).isEqualTo(2);
        assertThat(reported).startsWith(message).contains("Usage: generate");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--schema radius-accounting FOLDER/out.bin | Invalid layout of schema 'radius-accounting': tagged."
                        + " Files of records have the fixed layout only. For RADIUS accounting, use --pcap FILE or"
                        + " --udp HOST:PORT. [schema-mismatch]",
                "--schema trade --pcap FOLDER/x.pcap | Invalid schema 'trade' for '--pcap' and '--udp'. Use"
                        + " --schema radius-accounting. [schema-mismatch]",
                "--schema radius-accounting --udp :1813 | Invalid address ':1813' for '--udp'. Use HOST:PORT,"
                        + " such as 127.0.0.1:1813 or [::1]:1813. [invalid-argument]",
                "--schema radius-accounting --udp 127.0.0.1 | Invalid address '127.0.0.1' for '--udp'. Use HOST:PORT,"
                        + " such as 127.0.0.1:1813 or [::1]:1813. [invalid-argument]",
                "--schema radius-accounting --udp 127.0.0.1:70000 | Invalid address '127.0.0.1:70000' for '--udp'. Use HOST:PORT,"
                        + " such as 127.0.0.1:1813 or [::1]:1813. [invalid-argument]",
                "--schema radius-accounting --udp nowhere.invalid:1813 | Unknown host 'nowhere.invalid' in"
                        + " '--udp'. Use the name or address of a host. [invalid-argument]",
            })
    void shouldReportWhatItCannotMake(String arguments, String message) {
        assertThat(generate((Object[]) ("--count 1 " + arguments.replace("FOLDER", folder.toString())).split(" ")))
                .isOne();
        assertThat(reported).isEqualTo(message + "\n");
        assertThat(folder).isEmptyDirectory();
    }

    private static RadiusFeed server(String secret) {
        RadiusClient client = new RadiusClient(AddressRange.parse("127.0.0.0/8"), Secret.of(secret), false, false);
        Duration whatever = Duration.ofSeconds(10);
        return new RadiusFeed(
                new RadiusSettings(
                        "127.0.0.1",
                        0,
                        List.of(client),
                        whatever,
                        1 << 14,
                        1 << 12,
                        1 << 22,
                        new FairShare(1),
                        whatever,
                        1 << 20),
                64);
    }

    /** Does as a pipeline does: takes requests, and says that they are stored. */
    private static List<String> take(Feed feed, int count) {
        List<String> records = new ArrayList<>();
        RecordBatch batch = new RecordBatch(ACCOUNTING);
        try {
            while (records.size() < count) {
                if (feed.poll(batch, Duration.ofMillis(100)) == Poll.RECORDS) {
                    add(batch, records);
                    feed.stored();
                }
            }
            return records;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> fed(int count, long seed) throws IOException {
        return read(new GeneratorFeed(ACCOUNTING, seed, count, 0, 1000, Split.WHOLE));
    }

    private static List<String> read(Feed opened) throws IOException {
        List<String> records = new ArrayList<>();
        RecordBatch batch = new RecordBatch(ACCOUNTING);
        try (Feed feed = opened) {
            feed.open(0);
            while (feed.poll(batch, Duration.ZERO) == Poll.RECORDS) {
                add(batch, records);
            }
        }
        return records;
    }

    /** What remains the same of a request that is signed and sent: code and length, and its attributes. */
    private static void add(RecordBatch batch, List<String> records) {
        for (int i = 0; i < batch.count(); i++) {
            byte[] packet = Arrays.copyOfRange(batch.bytes(), batch.offset(i), batch.offset(i) + batch.length(i));
            packet[1] = 0;
            Arrays.fill(packet, 4, 20, (byte) 0);
            records.add(HexFormat.of().formatHex(packet));
        }
    }
}
