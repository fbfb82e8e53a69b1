package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.config.properties.MillraceProperties;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The pipelines of an application that is configured for a cluster, with a feed whose file does not exist here. */
@MillraceTest(
        properties = {
            "millrace.geode.locators=nowhere.invalid:10334",
            "millrace.regions.large.persistent=true",
            "millrace.regions.turnovers.layout=blocks",
            "millrace.pipelines.trades.feed.file=/nowhere/trades.bin",
            "millrace.pipelines.trades.schema=trade",
            "millrace.pipelines.trades.steps[0].filter=amount1 > 1000",
            "millrace.pipelines.trades.steps[1].set.rounded=10000 / id",
            "millrace.pipelines.trades.steps[2].measure.name=turnover",
            "millrace.pipelines.trades.steps[2].measure.by=currency1",
            "millrace.pipelines.trades.steps[2].measure.time=#instant(tradeDate)",
            "millrace.pipelines.trades.steps[2].measure.every=1d",
            "millrace.pipelines.trades.steps[2].measure.to=turnovers",
            "millrace.pipelines.trades.steps[2].measure.values.total=sum(amount1)",
            "millrace.pipelines.trades.steps[3].to=large",
        })
class TestPipelinesTest {

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}

    /** A part of a trade. */
    public interface Trade {
        long id();

        String currency1();
    }

    private static final LocalDate DAY = LocalDate.of(2026, 1, 5);

    private static final List<Path> USED = new ArrayList<>();

    @TempDir
    static Path configured;

    @Autowired
    TestPipelines pipelines;

    @Autowired
    MillraceProperties properties;

    @DynamicPropertySource
    static void configure(DynamicPropertyRegistry registry) throws IOException {
        Files.writeString(configured.resolve("mine"), "");
        registry.add("millrace.data", () -> configured);
    }

    @AfterEach
    void noteFolder() {
        USED.add(properties.data());
    }

    @AfterAll
    static void shouldRemoveItsFoldersAndNoOther() {
        assertThat(USED).isNotEmpty().doesNotHaveDuplicates().noneMatch(Files::exists);
        assertThat(configured).isDirectoryContaining("glob:**/mine");
    }

    private TestRecords trades() {
        return pipelines
                .records("trades")
                .add(Map.of("id", 1, "tradeDate", DAY, "currency1", "EUR", "amount1", new BigDecimal("1500.50")))
                .add(Map.of("id", 2, "tradeDate", DAY, "currency1", "GBP", "amount1", new BigDecimal("999.99")))
                .add(Map.of("id", 3, "tradeDate", DAY, "currency1", "EUR", "amount1", new BigDecimal("2000")));
    }

    @Test
    void shouldReturnWhatIsStored() {
        pipelines.send("trades", trades());

        assertThat(pipelines.stored("large", Trade.class))
                .extracting(Trade::id, Trade::currency1)
                .containsExactlyInAnyOrder(tuple(1L, "EUR"), tuple(3L, "EUR"));
        assertThat(pipelines.counts("trades")).isEqualTo(new PipelineCounts(3, 2, 1, 0));
    }

    @Test
    void shouldReturnWhatIsRejected() {
        byte[] records = pipelines
                .records("trades")
                .add(Map.of("id", 0, "amount1", new BigDecimal("1500")))
                .add(Map.of("id", 7))
                .bytes();
        pipelines.send("trades", Arrays.copyOf(records, records.length - 1));

        assertThat(pipelines.rejected("trades"))
                .extracting(reject -> reject.get("reason"))
                .containsExactlyInAnyOrder("expression", "truncated");
        assertThat(pipelines.stored("large")).isEmpty();
        assertThat(pipelines.counts("trades")).isEqualTo(new PipelineCounts(2, 0, 0, 2));
    }

    @Test
    void shouldReturnWhatIsMeasured() {
        Map<String, Object> turnover = Map.of("currency1", "EUR", "total", new BigDecimal("3500.50"));
        pipelines.send("trades", trades());

        assertThat(pipelines.measured("turnover"))
                .singleElement()
                .satisfies(row -> assertThat(row).containsAllEntriesOf(turnover));
        assertThat(pipelines.stored("turnovers")).isEmpty();
        pipelines.closeWindows();
        assertThat(pipelines.measured("turnover"))
                .singleElement()
                .satisfies(row -> assertThat(row).containsAllEntriesOf(turnover));
        assertThat(pipelines.stored("turnovers"))
                .singleElement()
                .satisfies(row -> assertThat(row).containsAllEntriesOf(turnover));
    }

    @Test
    void shouldStoreInATemporaryFolder() {
        pipelines.send("trades", trades());

        assertThat(properties.data()).isNotEqualTo(configured).isNotEmptyDirectory();
        assertThat(pipelines.stored("large")).hasSize(2);
    }

    @Test
    void shouldRefuseUnknownNamesAndRecordsThatItCannotBuild() {
        assertThatThrownBy(() -> pipelines.send("trade", new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Unknown pipeline 'trade'. Did you mean 'trades'?");
        assertThatThrownBy(() -> pipelines.measured("turn"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Unknown measure 'turn'");
        assertThatThrownBy(() -> TestRecords.of(Schemas.builtIn().get("reject")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Schema 'reject' has the tagged layout.");
        assertThat(trades().bytes()).hasSize(3 * 39);
    }
}
