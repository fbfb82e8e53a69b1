package io.millrace.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.MillraceProcess;
import io.millrace.TestBudget;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise of a disk that returns other bytes than were written: a value is right or refused. A bit of the disk
 * store of a stopped service is flipped, or the file is cut, and the service is started again. Either it does not
 * start, or its pipeline fails or waits, or each query returns what it returned before, or an error.
 * {@code -Dmillrace.flips} is the number of flips, each in a copy of the same folder.
 */
class CorruptDiskIT {

    private static final int FLIPS = Integer.getInteger("millrace.flips", 1);
    private static final int RECORDS = 20_000;
    private static final String PIPELINE = "/api/pipelines/trades";
    private static final List<String> ENDS = List.of("\"state\":\"done\"", "\"state\":\"failed\"");
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
    Path folder;

    @Test
    void shouldReturnRightResultsOrErrors() throws Exception {
        Path intact = Files.createDirectory(folder.resolve("intact"));
        Files.writeString(intact.resolve("config.yml"), CONFIGURATION);
        List<String> expected;
        try (MillraceProcess millrace = start(intact)) {
            millrace.awaitText(PIPELINE, ENDS.getFirst());
            expected = results(millrace);
            assertThat(expected).noneMatch(String::isEmpty);
            millrace.stop();
        }
        for (int i = 0; i < FLIPS; i++) {
            Path copy = copy(intact, "flipped-" + i);
            check(copy, expected, FileNemesis.flipBit(store(copy), random.nextLong()));
        }
        Path copy = copy(intact, "cut");
        Path store = store(copy);
        check(copy, expected, FileNemesis.truncate(store, random.nextLong(Files.size(store))));
        System.out.println("outcomes: " + outcomes);
    }

    private static MillraceProcess start(Path copy) throws IOException {
        return MillraceProcess.start(copy, "run", "config.yml", "--server.port=0");
    }

    private static Path store(Path copy) throws IOException {
        return FileNemesis.largest(copy.resolve("data"), ".crf");
    }

    private Path copy(Path intact, String name) throws IOException {
        Path copy = folder.resolve(name);
        try (Stream<Path> files = Files.walk(intact)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, copy.resolve(intact.relativize(file)));
            }
        }
        return copy;
    }

    private void check(Path copy, List<String> expected, Nemesis nemesis) throws Exception {
        nemesis.start(); // Nothing is repaired: the service has changed the file since.
        try (MillraceProcess millrace = start(copy)) {
            await().until(() -> !millrace.alive()
                    || ENDS.stream().anyMatch(end -> millrace.page(PIPELINE).contains(end))
                    || waits(millrace));
            if (!millrace.alive()) {
                assertThat(millrace.exitCode()).as(millrace.output()).isNotZero();
                outcomes.merge("did not start", 1, Integer::sum);
                return;
            }
            boolean failed = !millrace.page(PIPELINE).contains(ENDS.getFirst());
            List<String> actual = results(millrace);
            boolean refused = failed;
            for (int i = 0; i < expected.size(); i++) {
                refused |= actual.get(i).isEmpty();
                if (!actual.get(i).isEmpty()) {
                    assertThat(actual.get(i))
                            .as(nemesis + " of " + copy + ":\n" + millrace.output())
                            .isEqualTo(expected.get(i));
                }
            }
            outcomes.merge(failed ? "pipeline failed or waits" : refused ? "query refused" : "right", 1, Integer::sum);
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
