package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.pipeline.TradeFile.Trade;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

@ExtendWith(OutputCaptureExtension.class)
class RejectThresholdsTest {

    private static final String WARNING = "Pipeline trades rejects records: ";

    @TempDir
    Path folder;

    private final ApplicationContextRunner withoutSteps = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
            .withPropertyValues("millrace.regions.stored.layout=blocks", "millrace.pipelines.trades.schema=trade");

    private final ApplicationContextRunner context =
            withoutSteps.withPropertyValues("millrace.pipelines.trades.steps[0].to=stored");

    /** Trades of which every n-th has a currency that does not exist. */
    private static List<Trade> trades(int count, int every) {
        List<Trade> trades = new ArrayList<>(TradeFile.random(count, 1));
        for (int i = every - 1; i < count; i += every) {
            trades.set(i, new Trade(i + 1, 1, 0, 99, 1, 1, 1, 1, 1));
        }
        return trades;
    }

    private ApplicationContextRunner reading(List<Trade> trades, String... properties) throws IOException {
        Path file = TradeFile.write(folder.resolve("trades.bin"), trades);
        return context.withPropertyValues(
                        "millrace.data=" + folder.resolve("data"), "millrace.pipelines.trades.feed.file=" + file)
                .withPropertyValues(properties);
    }

    private static Pipeline pipeline(BeanFactory beans) {
        return beans.getBean(Pipelines.class).named("trades").orElseThrow();
    }

    private static PipelineStatus ended(BeanFactory beans) {
        await().until(() -> pipeline(beans).ended());
        return PipelineStatus.of(pipeline(beans));
    }

    @Test
    void shouldBeDegradedWhereASchemaFitsNoRecord(CapturedOutput output) throws IOException {
        reading(trades(200_000, 1)).run(beans -> {
            PipelineStatus status = ended(beans);
            assertThat(status.state()).isEqualTo("degraded");
            assertThat(status.ended()).isTrue();
            assertThat(status.rejected()).isEqualTo(200_000);
            assertThat(status.rejectStatus().level()).isEqualTo("degraded");
            assertThat(status.rejectStatus().share()).isEqualTo(1);
            assertThat(status.rejectStatus().records()).isEqualTo(200_000);
            assertThat(status.rejectStatus().reasons()).singleElement().satisfies(reason -> {
                assertThat(reason.reason()).isEqualTo("invalid-value");
                assertThat(reason.count()).isEqualTo(200_000);
                assertThat(reason.detail()).contains("currency1");
            });
            assertThat(output.getAll())
                    .containsOnlyOnce(WARNING)
                    .containsPattern("share=100.00% level=degraded reasons: reason=invalid-value count=\\d+ detail=\".*"
                            + "currency1")
                    .contains("See /api/regions/trades-rejected/records");
        });
    }

    @Test
    void shouldWarnOnceOfAFewRejectsAndEndAsDone(CapturedOutput output) throws IOException {
        reading(trades(50_000, 50)).run(beans -> {
            PipelineStatus status = ended(beans);
            assertThat(status.state()).isEqualTo("done");
            assertThat(status.rejectStatus().level()).isEqualTo("warning");
            assertThat(status.rejectStatus().reached()).isTrue();
            assertThat(status.rejectStatus().share()).isEqualTo(0.02);
            assertThat(output.getAll()).containsOnlyOnce(WARNING).contains("level=warning");
        });
    }

    @Test
    void shouldJudgeAShortFeedAtItsEnd(CapturedOutput output) throws IOException {
        reading(trades(20, 1)).run(beans -> {
            assertThat(ended(beans).state()).isEqualTo("degraded");
            assertThat(output.getAll()).containsOnlyOnce(WARNING).contains("rejected=20 records=20 ");
        });
    }

    @Test
    void shouldNotWarnBelowTheThreshold(CapturedOutput output) throws IOException {
        reading(trades(10_000, 200)).run(beans -> {
            PipelineStatus status = ended(beans);
            assertThat(status.rejected()).isEqualTo(50);
            assertThat(status.rejectStatus().level()).isEqualTo("normal");
            assertThat(output.getAll()).doesNotContain(WARNING);
        });
    }

    @Test
    void shouldNeitherWarnNorBeDegradedWhereRejectsAreAllowed(CapturedOutput output) throws IOException {
        reading(trades(5_000, 1), "millrace.pipelines.trades.reject-thresholds.warn-at=none")
                .run(beans -> {
                    PipelineStatus status = ended(beans);
                    assertThat(status.state()).isEqualTo("done");
                    assertThat(status.rejectStatus().reached()).isFalse();
                    assertThat(output.getAll()).doesNotContain(WARNING);
                });
    }

    @Test
    void shouldFailWhereRejectsReachTheThresholdAndStoreTheRest() throws IOException {
        List<Trade> trades = trades(100_000, 2);
        reading(trades, "millrace.pipelines.trades.reject-thresholds.fail-at=40%")
                .run(beans -> {
                    PipelineStatus status = ended(beans);
                    assertThat(status.state()).isEqualTo("failed");
                    assertThat(status.error())
                            .contains("Too many rejected records for 'fail-at', 40.00%")
                            .contains("share=50.00%", "reason=invalid-value", "currency1");
                    assertThat(status.in()).isLessThan(100_000);
                    await().until(() -> pipeline(beans).terminated());
                    PipelineStatus last = PipelineStatus.of(pipeline(beans));
                    assertThat(last.kept()).isEqualTo(last.in() / 2);
                    assertThat(last.inFlight()).isZero();
                });
    }

    @Test
    void shouldBeDegradedWhileRecordsPassAndRecoverOnceTheyAreGood(CapturedOutput output) {
        context.withPropertyValues("millrace.data=" + folder).run(beans -> {
            send(beans, trades(2_000, 1));
            await().until(() -> pipeline(beans).state() == PipelineState.DEGRADED);
            assertThat(pipeline(beans).ended()).isFalse();
            await().until(() -> {
                send(beans, trades(2_000, 2_001));
                return pipeline(beans).state() != PipelineState.DEGRADED;
            });
            assertThat(output.getAll()).containsOnlyOnce(WARNING);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "-1%", "101%", "1 %", "a%", "%", ""})
    void shouldRefuseWhatIsNoPercentage(String value) throws IOException {
        reading(trades(1, 2), "millrace.pipelines.trades.reject-thresholds.fail-at=" + value)
                .run(beans -> assertThat(beans)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("millrace.pipelines.trades.reject-thresholds.fail-at")
                        .hasMessageContaining("Invalid percentage '" + value + "'. Use a number from 0 to 100"));
    }

    private static void send(BeanFactory beans, List<Trade> trades) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        trades.forEach(trade -> bytes.writeBytes(trade.bytes()));
        beans.getBean("trades.in", MessageChannel.class).send(new GenericMessage<>(bytes.toByteArray()));
    }

    @Test
    void shouldTakeTheFirstDetailOfEachReason() throws IOException {
        List<Trade> trades = new ArrayList<>(TradeFile.random(100, 1));
        trades.set(40, new Trade(41, 1, 0, 99, 1, 1, 1, 1, 1));
        trades.set(60, new Trade(61, 1, 0, 98, 1, 1, 1, 1, 1));
        Path file = TradeFile.write(folder.resolve("trades.bin"), trades);
        withoutSteps
                .withPropertyValues(
                        "millrace.data=" + folder.resolve("data"),
                        "millrace.pipelines.trades.feed.file=" + file,
                        "millrace.pipelines.trades.steps[0].filter=10 / ((id - 1) * (id - 2)) < 100",
                        "millrace.pipelines.trades.steps[1].to=stored")
                .run(beans -> assertThat(ended(beans).rejectStatus().reasons())
                        .satisfiesExactly(
                                reason -> assertThat(reason.detail()).contains("'99' of 'currency1'"),
                                reason -> assertThat(reason.detail()).contains("division by zero", "id=1")));
    }

    @Test
    void shouldNotCountTheCutRecordAtTheEnd() throws IOException {
        List<Trade> trades = trades(100, 1);
        byte[] cut = Arrays.copyOf(trades.getFirst().bytes(), 10);
        ApplicationContextRunner reading = reading(trades);
        Files.write(folder.resolve("trades.bin"), cut, StandardOpenOption.APPEND);
        reading.run(beans -> {
            PipelineStatus status = ended(beans);
            assertThat(status.rejectedByReason())
                    .containsEntry("invalid-value", 100L)
                    .containsEntry("truncated", 1L);
            assertThat(status.rejectStatus().records()).isEqualTo(100);
            assertThat(status.rejectStatus().reasons()).singleElement().satisfies(reason -> {
                assertThat(reason.reason()).isEqualTo("invalid-value");
                assertThat(reason.count()).isEqualTo(100);
                assertThat(reason.detail()).contains("currency1");
            });
        });
    }
}
