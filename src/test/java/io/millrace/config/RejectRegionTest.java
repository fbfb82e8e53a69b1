package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.TradeFile;
import io.millrace.store.Store;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Query;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.reject.Reject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Regions of rejects are regions: configured, retained and queried like others. */
class RejectRegionTest {

    @TempDir
    Path folder;

    private ApplicationContextRunner context(String... more) throws IOException {
        Path file = folder.resolve("trades.bin");
        byte[] records = new byte[TradeFile.LENGTH * 300];
        TradeFile.write(file, TradeFile.random(300, 1));
        System.arraycopy(Files.readAllBytes(file), 0, records, 0, records.length);
        for (int record = 0; record < 300; record += 3) {
            records[record * TradeFile.LENGTH + 11] = 99;
        }
        Files.write(file, records);
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withPropertyValues(
                        "millrace.data=" + folder.resolve("data"),
                        "millrace.regions.all.layout=blocks",
                        "millrace.pipelines.trades.schema=trade",
                        "millrace.pipelines.trades.feed.file=" + file,
                        "millrace.pipelines.trades.steps[0].filter=10 / (id % 2) > 0",
                        "millrace.pipelines.trades.steps[1].to=all")
                .withPropertyValues(more);
    }

    private static RegionDefinition definition(Store store) {
        return store.definition("trades-rejected");
    }

    @Test
    void shouldBeAsSafeAsTheSafestRegionOfItsPipelineAndBounded() throws IOException {
        context("millrace.regions.all.persistent=true", "millrace.regions.all.redundant-copies=2")
                .run(context -> {
                    RegionDefinition rejects = definition(context.getBean(Store.class));
                    assertThat(rejects.persistent()).isTrue();
                    assertThat(rejects.copies()).isEqualTo(2);
                    assertThat(rejects.retention().bytes()).isEqualTo(64L << 20);
                    assertThat(rejects.retention().age()).isNull();
                });
    }

    @Test
    void shouldTakeTheRetentionThatIsConfigured() throws IOException {
        String region = "millrace.regions.trades-rejected.";
        context(region + "retain.size=3MB", region + "retain.age=5d", region + "redundant-copies=1")
                .run(context -> {
                    RegionDefinition rejects = definition(context.getBean(Store.class));
                    assertThat(rejects.retention().bytes()).isEqualTo(3L << 20);
                    assertThat(rejects.retention().age()).isEqualTo(Duration.ofDays(5));
                    assertThat(rejects.copies()).isEqualTo(1);
                });
        context(region + "redundant-copies=1")
                .run(context -> assertThat(definition(context.getBean(Store.class))
                                .retention()
                                .bytes())
                        .isEqualTo(64L << 20));
    }

    @ParameterizedTest
    @CsvSource({
        "layout=entries, 'retain'",
        "key=position, 'retain'",
        "encoding=columns, 'retain'",
        "block-records=16, 'retain'",
        "keep-added=false, 'retain'",
        "schema=trade, 'retain'",
        "persistent=true, trades-rejected.persistent",
        "retain.size=1KB, the size of a full block",
    })
    void shouldRefuseOtherSettings(String setting, String message) throws IOException {
        context("millrace.regions.trades-rejected." + setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("trades-rejected")
                        .hasMessageContaining(message));
    }

    @Test
    void shouldRefuseARegionThatKeepsRecordsToo() throws IOException {
        context("millrace.pipelines.trades.rejects=all")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("Use a region of its own for rejects."));
    }

    /** In each third record the code of a currency is unknown; half of the others divide by zero. */
    @Test
    void shouldBeQueriedLikeAnyRegion() throws IOException {
        context().run(context -> {
            Store store = context.getBean(Store.class);
            await().until(() -> context.getBean(Pipelines.class).ended());

            assertThat(store.info("trades-rejected").records()).isEqualTo(200);
            assertThat(store
                            .aggregates(
                                    "trades-rejected",
                                    new AggregateQuery(null, List.of("reason"), List.of("count()"), 10),
                                    Duration.ofMinutes(1))
                            .stream())
                    .extracting(group -> group.get("reason") + " " + group.get("count()"))
                    .containsExactlyInAnyOrder("invalid-value 100", "expression 100");
            Query page = new Query(
                    "position > " + 30L * TradeFile.LENGTH + " and reason == 'invalid-value'",
                    List.of(),
                    List.of("position"),
                    2);
            assertThat(store.find("trades-rejected", page, Duration.ofMinutes(1), _ -> Reject::decode).stream())
                    .extracting(Reject::position)
                    .containsExactly(33L * TradeFile.LENGTH, 36L * TradeFile.LENGTH);
        });
    }
}
