package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.view.RecordViews;
import io.millrace.view.list.RecordList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import trades.HeapChart;
import trades.HeapRecorder;
import trades.SameApi;
import trades.Trade;
import trades.TradeBook;

/** The example {@code same-api}: one program over objects and over views. */
@SuppressWarnings({"JavaUtilDate", "UndefinedEquals", "BigDecimalEquals"}) // equal in each detail
class SameApiExampleTest {

    private static final int COUNT = 2_000;
    private static final Path SOURCES = Path.of("examples/java/trades");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"examples/same-api/fixed/trade.yml", "examples/same-api/compact/trade.yml"})
    void shouldGiveTheSameResults(String schema) throws IOException, ClassNotFoundException {
        SameApi.Result classic = SameApi.run(SameApi.classic(), COUNT);
        SameApi.Result binary = SameApi.run(SameApi.book(schema), COUNT);
        assertThat(binary.cheapest()).isNotNegative().isEqualTo(classic.cheapest());
        assertThat(binary.serialized()).isLessThan(classic.serialized() / 4);
        assertThat(binary.serializedInList()).isLessThan(40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"examples/same-api/fixed/trade.yml", "examples/same-api/compact/trade.yml"})
    void shouldHoldTheSameValues(String schema) throws IOException {
        TradeBook classic = SameApi.classic();
        TradeBook views = SameApi.book(schema);
        IntStream.range(0, COUNT).forEach(classic::add);
        IntStream.range(0, COUNT).forEach(views::add);
        assertThat(views.trades())
                .usingElementComparator((one, other) -> one.getId() == other.getId()
                                && one.getTradeDate().equals(other.getTradeDate())
                                && one.getBuySell().equals(other.getBuySell())
                                && one.getCurrency1().equals(other.getCurrency1())
                                && one.getAmount1().equals(other.getAmount1())
                                && one.getExchangeRate() == other.getExchangeRate()
                                && one.getCurrency2().equals(other.getCurrency2())
                                && one.getAmount2().equals(other.getAmount2())
                                && one.getSettlementDate().equals(other.getSettlementDate())
                        ? 0
                        : 1)
                .containsExactlyElementsOf(classic.trades());
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "compact"})
    void shouldReadTheFileThatItWrote(String layout) throws IOException {
        RecordViews<Trade> views = SameApi.views(Path.of("examples/same-api", layout, "trade.yml"));
        RecordList<Trade> trades = new RecordList<>(views);
        TradeBook book = new TradeBook(views::create, trades);
        IntStream.range(0, COUNT).forEach(book::add);
        Path file = folder.resolve("trades.bin");
        SameApi.write(trades, file);
        assertThat(SameApi.read(views, file)).isEqualTo(trades);
        assertThat(file).hasSize(24 + trades.bytes()); // after the fingerprint of the schema
    }

    @Test
    void shouldShowTheExampleInTheGuide() throws IOException {
        String java = Files.readString(SOURCES.resolve("Trade.java"))
                + Files.readString(SOURCES.resolve("TradeBook.java"))
                + Files.readString(SOURCES.resolve("SameApi.java"));
        for (String page : List.of("docs/guides/use-binary-classes.md", "examples/same-api/README.md")) {
            assertThat(Page.read(Path.of(page)).java())
                    .isNotEmpty()
                    .allSatisfy(shown -> assertThat(java).contains(shown));
        }
    }

    @Test
    void shouldRecordAndDrawTheHeap() throws IOException, ClassNotFoundException {
        Path file = folder.resolve("heap.csv");
        HeapRecorder.Recorded recorded = SameApi.record(SameApi.classic(), COUNT, file);
        assertThat(recorded.heap()).hasSizeGreaterThanOrEqualTo(2);
        HeapRecorder.Recorded read = HeapRecorder.Recorded.read(file);
        assertThat(read.events()).hasSameSizeAs(recorded.events());
        assertThat(HeapChart.draw(read, read)).startsWith("<svg ").endsWith("</svg>\n");
    }

    @Test
    void shouldShowThePictureOfTheMeasuredRuns() throws IOException {
        Path measured = Path.of("docs/benchmarks/results");
        assertThat(Path.of("docs/images/heap-before-and-after.svg"))
                .hasContent(HeapChart.draw(
                        HeapRecorder.Recorded.read(measured.resolve("views-heap-classic-2026-11-28.csv")),
                        HeapRecorder.Recorded.read(measured.resolve("views-heap-binary-2026-11-28.csv"))));
    }

    @Test
    void shouldKeepTheClassFreeOfMillrace() throws IOException {
        assertThat(Files.readString(Path.of("examples/java/trades/Trade.java"))).doesNotContain("io.millrace");
        assertThat(Files.readString(Path.of("examples/java/trades/TradeBook.java")))
                .doesNotContain("io.millrace");
    }
}
