package io.millrace.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.MillraceProcess;
import io.millrace.TestBudget;
import io.millrace.codec.RawBytes;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promise of a disk that returns other bytes than were written: a value is right or refused. A bit of the disk
 * store of a stopped service is flipped, or the file is cut, and the service is started again. The same with what the
 * loss of power can leave: an earlier page is missing, but not those behind it, or one of the files is older than the
 * others. Either it does not start, or its pipeline fails or waits, or each query returns what it returned before, or
 * an error. {@code -Dmillrace.flips} is the number of flips, each in a copy of the same folder.
 */
@Tag("long")
class CorruptDiskIT {

    private static final int FLIPS = Integer.getInteger("millrace.flips", 1);
    private static final int RECORDS = 20_000;
    /** Bytes behind the last value, which Geode has reserved. */
    private static final int SPACE = 1 << 16;

    private static final String PIPELINE = "/api/pipelines/trades";
    private static final List<String> ENDS = List.of("\"state\":\"done\"", "\"state\":\"failed\"");
    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final int SIDE_AT = 10;
    private static final int AMOUNT_AT = 12;
    private static final List<String> REGIONS = List.of("buys", "sells");

    private static final String CONFIGURATION = """
        millrace:
          regions:
            buys: { layout: blocks, persistent: true }
            sells: { layout: entries, key: id, persistent: true }
          pipelines:
            trades:
              feed: { generator: { seed: 1, count: %d } }
              schema: trade
              steps:
                - route:
                    - { when: buySell == 'Buy', to: buys }
                    - { otherwise: sells }
        """.formatted(RECORDS);

    private final Random random = new Random(TestBudget.seed());
    private final Map<String, Integer> outcomes = new TreeMap<>();

    @TempDir
    static Path folder;

    private static Path intact = Path.of("");
    private static Path killed = Path.of("");
    private static List<String> expected = List.of();

    @BeforeAll
    static void fill() throws Exception {
        intact = Files.createDirectory(folder.resolve("intact"));
        Files.writeString(intact.resolve("config.yml"), CONFIGURATION);
        try (MillraceProcess millrace = start(intact)) {
            millrace.awaitText(PIPELINE, ENDS.getFirst());
            expected = results(millrace);
            assertThat(expected).noneMatch(String::isEmpty);
            millrace.stop();
        }
        killed = Files.createDirectory(folder.resolve("killed"));
        Files.writeString(killed.resolve("config.yml"), CONFIGURATION);
        try (MillraceProcess millrace = start(killed)) {
            millrace.awaitText(PIPELINE, ENDS.getFirst());
            millrace.kill();
        }
        for (Path file : files(killed)) { // most of it is empty space
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(FileNemesis.writtenLength(file) + SPACE);
            }
        }
    }

    /** Returns the files of a disk store. */
    private static List<Path> files(Path copy) throws IOException {
        try (Stream<Path> files = Files.list(copy.resolve("data"))) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith("BACKUP"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void shouldReturnRightResultsOrErrors() throws Exception {
        for (int i = 0; i < FLIPS; i++) {
            Path copy = copy("flipped-" + i);
            check(copy, FileNemesis.flipBit(store(copy), random.nextLong()));
        }
        Path copy = copy("cut");
        Path store = store(copy);
        check(copy, FileNemesis.truncate(store, random.nextLong(Files.size(store))));
        System.out.println("outcomes: " + outcomes);
    }

    /** After a stop, when each oplog has a file of its keys, and after a kill. */
    @Test
    void shouldReturnRightResultsOrErrorsAfterTheLossOfPower() throws Exception {
        for (Path before : List.of(intact, killed)) {
            for (Path file : files(before)) {
                for (int i = 0; i < FLIPS; i++) {
                    String name = before.getFileName() + "-" + file.getFileName() + "-" + i;
                    Path zeroed = copyOfCrashed(before, "zeroed-" + name);
                    check(zeroed, FileNemesis.zeroPage(sameFile(zeroed, file), random.nextLong()));
                    if (!file.toString().endsWith(".if")) { // it is on the disk before the values of its buckets
                        Path cut = copyOfCrashed(before, "cut-" + name);
                        check(cut, FileNemesis.cutEnd(sameFile(cut, file), random.nextLong()));
                    }
                }
            }
        }
        System.out.println("outcomes: " + outcomes);
    }

    private static Path sameFile(Path copy, Path file) {
        return copy.resolve("data").resolve(file.getFileName());
    }

    /** Copies a folder without the list of its files, which a crash does not leave. */
    private static Path copyOfCrashed(Path source, String name) throws IOException {
        Path copy = copy(source, name);
        Files.deleteIfExists(copy.resolve("data/millrace.files"));
        return copy;
    }

    @Test
    void shouldNameTheEntryOfAFlippedBit() throws Exception {
        byte[] trade = sell();
        long id = RawBytes.getLong(trade, 0);
        Path copy = copy("entry");
        Path store = store(copy);
        byte[] bytes = Files.readAllBytes(store);
        int at = indexOf(bytes, trade);
        bytes[at + AMOUNT_AT + 1] ^= 1;
        Files.write(store, bytes);
        try (MillraceProcess millrace = start(copy)) {
            millrace.awaitText(PIPELINE, ENDS.getFirst());
            assertThat(results(millrace)).containsExactly(expected.getFirst(), "");
            for (String path : List.of("/" + id, "/records?where=id==" + id)) {
                HttpResponse<String> response = millrace.send("GET", "/api/regions/sells" + path, "text/plain", "");
                assertThat(response.statusCode()).isEqualTo(503);
                assertThat(response.body())
                        .contains("Corrupt entry in region 'sells', key '" + id + "': invalid checksum.")
                        .contains("millrace regions remove sells CONFIG");
            }
        }
    }

    /** A trade of the feed that is an entry. */
    private static byte[] sell() {
        byte[] trades = new byte[100 * TRADE.recordLength()];
        RecordGenerator.of(TRADE, 1).fill(trades, 0, 100);
        for (int at = 0; at < trades.length; at += TRADE.recordLength()) {
            if (trades[at + SIDE_AT] == 1) {
                return Arrays.copyOfRange(trades, at, at + TRADE.recordLength());
            }
        }
        throw new AssertionError("no sell");
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        for (int at = 0; at <= bytes.length - part.length; at++) {
            if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        throw new AssertionError("not stored");
    }

    @ParameterizedTest
    @ValueSource(strings = {".crf", ".drf", ".krf", ".if"})
    void shouldNotStartIfAFileIsTruncated(String ending) throws Exception {
        Path copy = copy("cut" + ending);
        Path file = FileNemesis.largest(copy.resolve("data"), ending);
        FileNemesis.truncate(file, Files.size(file) * 2 / 3).start();
        for (int start = 0; start < 2; start++) {
            try (MillraceProcess millrace = start(copy)) {
                assertThat(millrace.exitCode()).isOne();
                assertThat(millrace.output())
                        .contains("Disk file 'data/" + file.getFileName() + "' is truncated: it has ")
                        .contains("Restore the data folder from a copy");
            }
        }
    }

    /** After a crash, there is no list of the files with their lengths. */
    @Test
    void shouldFailThePipelineIfAFileIsTruncatedAfterACrash() throws Exception {
        Path copy = copy("crashed");
        Files.deleteIfExists(copy.resolve("data/millrace.files"));
        Path store = store(copy);
        FileNemesis.truncate(store, Files.size(store) * 2 / 3).start();
        try (MillraceProcess millrace = start(copy)) {
            millrace.awaitText(PIPELINE, ENDS.getLast());
            assertThat(millrace.page(PIPELINE)).contains("a disk file is truncated: it has ");
            await().untilAsserted(() -> assertThat(millrace.page("/actuator/health/readiness"))
                    .contains("\"status\":\"DOWN\"")
                    .contains("a disk file is truncated: it has "));
            assertThat(results(millrace)).containsOnly("");
            HttpResponse<String> response = millrace.send("GET", "/api/regions/sells/records", "text/plain", "");
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.body()).contains("Restore the data folder from a copy");
        }
    }

    /** Values in memory are right, and what is appended behind the end leaves a hole. */
    @Test
    void shouldBeRightOrReportErrorsIfAFileIsTruncatedWhileItIsOpen() throws Exception {
        Path copy = copy("open");
        try (MillraceProcess millrace = start(copy)) {
            millrace.awaitText(PIPELINE, ENDS.getFirst());
            Path store = store(copy);
            FileNemesis.truncate(store, Files.size(store) * 2 / 3).start();
            requireRight(results(millrace), "cut while open");
            millrace.stop();
        }
        check(copy, Nemesis.of("nothing", () -> {}, () -> {}));
    }

    private static MillraceProcess start(Path copy) throws IOException {
        return MillraceProcess.start(copy, "run", "config.yml", "--server.port=0");
    }

    private static Path store(Path copy) throws IOException {
        return FileNemesis.largest(copy.resolve("data"), ".crf");
    }

    private static Path copy(String name) throws IOException {
        return copy(intact, name);
    }

    private static Path copy(Path source, String name) throws IOException {
        Path copy = folder.resolve(name);
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, copy.resolve(source.relativize(file)));
            }
        }
        return copy;
    }

    private void check(Path copy, Nemesis nemesis) throws Exception {
        nemesis.start(); // Nothing is repaired: the service has changed the file since.
        try (MillraceProcess millrace = start(copy)) {
            await().until(() -> !millrace.alive()
                    || ENDS.stream().anyMatch(end -> millrace.page(PIPELINE).contains(end))
                    || waits(millrace));
            if (!millrace.alive()) {
                assertThat(millrace.exitCode()).as(millrace.output()).isNotZero();
                count("did not start", nemesis);
                return;
            }
            boolean failed = !millrace.page(PIPELINE).contains(ENDS.getFirst());
            List<String> actual = results(millrace);
            boolean refused = failed || actual.contains("");
            requireRight(actual, nemesis + " of " + copy + ":\n" + millrace.output());
            count(failed ? "pipeline failed or waits" : refused ? "query refused" : "right", nemesis);
        }
    }

    private void count(String outcome, Nemesis nemesis) {
        System.out.println(nemesis + ": " + outcome);
        outcomes.merge(outcome, 1, Integer::sum);
    }

    private static void requireRight(List<String> actual, String what) {
        for (int i = 0; i < expected.size(); i++) {
            if (!actual.get(i).isEmpty()) {
                assertThat(actual.get(i)).as(what).isEqualTo(expected.get(i));
            }
        }
    }

    /** Returns whether the pipeline waits for the store, and readiness says why. */
    private static boolean waits(MillraceProcess millrace) {
        return millrace.page(PIPELINE).contains("\"state\":\"waiting\"")
                && millrace.page("/actuator/health/readiness").contains("has failed: ");
    }

    /** Returns the results of queries that read all bytes; empty for those that are refused. */
    private static List<String> results(MillraceProcess millrace) throws Exception {
        List<String> results = new ArrayList<>();
        String values = URLEncoder.encode("count(),sum(id),sum(amount1),max(exchangeRate)", StandardCharsets.UTF_8);
        for (String region : REGIONS) {
            HttpResponse<String> response = millrace.send(
                    "GET", "/api/regions/" + region + "/aggregate?by=currency1&values=" + values, "text/plain", "");
            String body = response.body();
            results.add(response.statusCode() == 200 ? body.substring(0, body.indexOf(",\"scanned\"")) : "");
        }
        return results;
    }
}
