package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/** The examples, run by the service in a copy of their folder, as their first lines say. */
class ExamplesIT {

    @TempDir
    static Path shared;

    @TempDir
    Path folder;

    @BeforeAll
    static void convertTheTradesAndStoreThem() throws Exception {
        Files.copy(Path.of("examples/trades.csv"), shared.resolve("trades.csv"));
        assertThat(MillraceProcess.run(shared, "convert", "--schema", "trade", "trades.csv", "trades.bin"))
                .isZero();
        copyWithFile("persistent.yml", shared);
        assertThat(MillraceProcess.run(shared, "persistent.yml", "--server.port=0", "--exit-when-done"))
                .isZero();
    }

    @BeforeEach
    void copyTheFolder() throws Exception {
        Files.createDirectory(folder.resolve("reference"));
        for (String file : List.of(
                "trades.csv",
                "reference/cells.csv",
                "csv.yml",
                "generator.yml",
                "istanbul.yml",
                "day-book.yml",
                "radius.yml")) {
            Files.copy(Path.of("examples", file), folder.resolve(file));
        }
        for (String file : List.of("trades.yml", "persistent.yml", "entries.yml")) {
            copyWithFile(file, folder);
        }
        Files.copy(shared.resolve("trades.bin"), folder.resolve("trades.bin"));
    }

    /** Copies a configuration with the feed of a file, as its comment describes, in place of the generator. */
    private static void copyWithFile(String config, Path target) throws IOException {
        String text = Files.readString(Path.of("examples", config));
        assertThat(text).contains("feed: { file: trades.bin }");
        Files.writeString(
                target.resolve(config),
                text.replaceFirst("feed: \\{ generator: \\{ .* } }", "feed: { file: trades.bin }"));
    }

    /** Copies what the pipeline of {@code persistent.yml} has stored. */
    private void copyTheData() throws IOException {
        FileSystemUtils.copyRecursively(shared.resolve("data"), folder.resolve("data"));
    }

    @Test
    void shouldTakeTradesThroughEveryKindOfStep() throws Exception {
        try (MillraceProcess millrace = done("trades.yml")) {
            assertThat(millrace.get("/api/pipelines/trades"))
                    .contains("\"in\":10,\"made\":0,\"kept\":9,\"dropped\":1,\"rejected\":0,\"inFlight\":0")
                    .contains("\"keptByRegion\":{\"buys\":6,\"sells\":3}");
            assertThat(millrace.get("/api/regions/buys/records?limit=1"))
                    .contains(
                            "\"id\":1,", "\"amount1\":50000000.00", "\"desk\":\"Toronto Spot 1\",\"city\":\"Toronto\"")
                    .contains("\"notional\":6.72E7");
        }
    }

    @Test
    void shouldGenerateTrades() throws Exception {
        Files.copy(Path.of("examples/trades.yml"), folder.resolve("generated.yml"));
        try (MillraceProcess millrace =
                done("generated.yml", "--millrace.pipelines.trades.feed.generator.count=1000")) {
            assertThat(millrace.get("/api/pipelines/trades")).contains("\"in\":1000,", "\"rejected\":0,\"inFlight\":0");
        }
    }

    @Test
    void shouldReadTradesFromCsv() throws Exception {
        try (MillraceProcess millrace = done("csv.yml")) {
            assertThat(millrace.get("/api/pipelines/trades"))
                    .contains("\"in\":10,\"made\":0,\"kept\":9,\"dropped\":1,\"rejected\":0,\"inFlight\":0");
            assertThat(millrace.get("/api/regions/large/records?limit=1"))
                    .contains("\"id\":1,", "\"amount1\":50000000.00");
        }
    }

    @Test
    void shouldKnowWhereCallsOfANetworkAreDropped() throws Exception {
        try (MillraceProcess millrace =
                done("istanbul.yml", "--millrace.pipelines.istanbul.feed.generator.count=49152")) {
            assertThat(millrace.get("/api/pipelines/istanbul"))
                    .contains("\"in\":49152,\"made\":0,\"kept\":49152,\"dropped\":0,\"rejected\":0,\"inFlight\":0");
            assertThat(millrace.get("/api/regions/events/records?limit=1&where=dropped"))
                    .contains("\"status\":\"Stop\"", "\"terminateCause\":\"Lost-Carrier\"", "\"district\":\"");
            assertThat(millrace.get("/api/measures/districts?limit=1"))
                    .contains("\"counted\":49152,\"late\":0,\"ahead\":0,\"failed\":0", "\"district\":\"");
        }
    }

    @Test
    void shouldKeepTheDaysBook() throws Exception {
        try (MillraceProcess millrace =
                done("day-book.yml", "--millrace.pipelines.day-book.feed.generator.count=5000")) {
            assertThat(millrace.get("/api/measures/book")).contains("\"orders\":5000,\"dayBalance\":");
            assertThat(millrace.get("/api/measures/book-by-ticket?limit=1")).contains("\"ticket\":");
        }
    }

    @Test
    void shouldCheckTheExampleOfLiveAccounting() throws Exception {
        assertThat(MillraceProcess.run(folder, "check", "radius.yml")).isZero();
    }

    @Test
    void shouldGoOnWhereItWas() throws Exception {
        copyTheData();
        try (MillraceProcess millrace = done("persistent.yml")) {
            assertThat(millrace.get("/api/pipelines/trades")).contains("\"in\":0,", "\"position\":390,");
            assertThat(millrace.get("/api/regions/buys")).contains("\"records\":6,");
            assertThat(millrace.get("/api/regions/sells")).contains("\"records\":4,");
        }
    }

    @Test
    void shouldRefuseAFileThatIsNotTheOneItBeganWith() throws Exception {
        copyTheData();
        Files.write(folder.resolve("trades.bin"), new byte[39]);
        try (MillraceProcess millrace =
                MillraceProcess.start(folder, "persistent.yml", "--server.port=0", "--exit-when-done")) {
            assertThat(millrace.exitCode()).isOne();
            assertThat(millrace.output())
                    .contains(
                            "File 'trades.bin' has 39 bytes, but its records were read up to byte 390. It is not the feed"
                                    + " that this pipeline read before.")
                    .contains("restore the feed. [changed-feed]");
        }
    }

    @Test
    void shouldRefuseARegionThatHoldsRecordsOfAnotherSchema() throws Exception {
        copyTheData();
        String changed = Files.readString(folder.resolve("persistent.yml"))
                .replace("        - route:", "        - set: { notional: amount1 * 2 }\n        - route:");
        Files.writeString(folder.resolve("persistent.yml"), changed);
        try (MillraceProcess millrace =
                MillraceProcess.start(folder, "persistent.yml", "--server.port=0", "--exit-when-done")) {
            assertThat(millrace.exitCode()).isOne();
            assertThat(millrace.output())
                    .contains("Region 'buys' was stored under another definition, with which its data can't be used:")
                    .contains("schema: field 'notional' was added (decimal i64 scale 2 at byte 39)")
                    .contains("give the new one a region of another name", "[changed-definition]");
        }
    }

    @Test
    void shouldKeepTheLatestTradeOfEachCurrency() throws Exception {
        try (MillraceProcess millrace = done("entries.yml")) {
            assertThat(millrace.get("/api/regions/latest")).contains("\"entries\":7,");
            assertThat(millrace.get("/api/regions/latest/records?where=currency1=='EUR'&select=id,exchangeRate"))
                    .contains("\"records\":[{\"id\":10,\"exchangeRate\":0.7911}]");
        }
    }

    @Test
    void shouldMakeUpTrades() throws Exception {
        try (MillraceProcess millrace = done("generator.yml")) {
            assertThat(millrace.get("/api/pipelines/trades")).contains("\"in\":100000,", "\"kept\":", "\"inFlight\":0");
        }
    }

    private MillraceProcess done(String config, String... properties) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(config, "--server.port=0"));
        arguments.addAll(List.of(properties));
        MillraceProcess millrace = MillraceProcess.start(folder, arguments.toArray(String[]::new));
        await().until(() -> {
            String page = millrace.get("/api/pipelines");
            return page != null && page.contains("\"state\":\"done\"");
        });
        return millrace;
    }
}
