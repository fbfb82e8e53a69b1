package io.millrace.pipeline.tap;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.pipeline.tap.Tap.Tapped;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.integration.channel.PublishSubscribeChannel;
import org.springframework.messaging.support.GenericMessage;

class TapTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(1234));
    private static final int RECORDS = 100;

    private final PublishSubscribeChannel channel = new PublishSubscribeChannel();
    private final TapPoint point =
            new TapPoint("admitted", "admitted", "trades.admitted", null, List.of("trades.admitted"), TRADE, TRADE);
    private final RecordGenerator generator = RecordGenerator.of(TRADE, 3);
    private final RecordBatch batch = new RecordBatch(TRADE);

    private Tap tap() {
        return new Tap(point, List.of(channel), null, CLOCK);
    }

    private void send() {
        byte[] bytes = new byte[RECORDS * TRADE.baseLength()];
        generator.fill(bytes, 0, RECORDS);
        send(batch.fill(bytes, 0, RECORDS, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
    }

    private void send(RecordBatch sent) {
        channel.send(new GenericMessage<>(sent));
    }

    /** Trades are numbered from 1 on. */
    private static long id(Tap tap) {
        return RawBytes.getLong(Objects.requireNonNull(tap.take()).stored(), 0);
    }

    @Test
    void shouldReportHowManyPassedSinceTheLastCall() {
        try (Tap tap = tap()) {
            assertThat(tap.take()).isNull();
            send();
            send();
            assertThat(tap.take()).extracting(Tapped::passed, Tapped::time).containsExactly(200L, 1234L);
            assertThat(tap.take()).isNull();
        }
    }

    @Test
    void shouldShowOnlyRecordsThatMeetTheCondition() {
        BatchFilter even = new ExpressionCompiler(TRADE).filter("id % 2 == 0").loop();
        try (Tap tap = new Tap(point, List.of(channel), even, CLOCK)) {
            for (int i = 0; i < 20; i++) {
                send();
                assertThat(batch.selected()).isEqualTo(RECORDS);
                Tapped tapped = Objects.requireNonNull(tap.take());
                assertThat(tapped.passed()).isEqualTo(RECORDS / 2);
                assertThat(RawBytes.getLong(tapped.stored(), 0) % 2).isZero();
            }
        }
        BatchFilter none = new ExpressionCompiler(TRADE).filter("id < 0").loop();
        try (Tap tap = new Tap(point, List.of(channel), none, CLOCK)) {
            send();
            assertThat(tap.take()).isNull();
        }
    }

    /** Each lane has other records, of which another number meets the condition. */
    @Test
    void shouldEvaluateTheConditionOfOneLaneAtATime() throws Exception {
        BatchFilter large = new ExpressionCompiler(TRADE).filter("id >= 1000").loop();
        try (Tap tap = new Tap(point, List.of(channel), large, CLOCK);
                ExecutorService lanes = Executors.newFixedThreadPool(2)) {
            List<Future<?>> sent = new ArrayList<>();
            for (int lane = 0; lane < 2; lane++) {
                byte[] bytes = new byte[RECORDS * TRADE.baseLength()];
                for (int i = 0; i < RECORDS; i++) {
                    long id = i % (lane == 0 ? 2 : 100) == 0 ? 1000 + i : i;
                    RawBytes.putLong(bytes, i * TRADE.baseLength(), id);
                }
                sent.add(lanes.submit(() -> {
                    RecordBatch own = new RecordBatch(TRADE)
                            .fill(bytes, 0, RECORDS, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
                    for (int i = 0; i < 5_000; i++) {
                        send(own);
                    }
                }));
            }
            long passed = 0;
            boolean done = false;
            while (!done) {
                done = sent.stream().allMatch(Future::isDone);
                Tapped tapped = tap.take();
                if (tapped != null) {
                    assertThat(RawBytes.getLong(tapped.stored(), 0)).isGreaterThanOrEqualTo(1000);
                    passed += tapped.passed();
                }
            }
            for (Future<?> each : sent) {
                each.get();
            }
            assertThat(passed).isEqualTo(5_000 * (RECORDS / 2 + RECORDS / 100));
        }
    }

    /** A tenth of 2,000 draws is 200; 120 and 280 are six standard deviations away. */
    @Test
    void shouldShowEachRecordThatPassedAsOftenAsAnyOther() {
        int[] shown = new int[10];
        try (Tap tap = tap()) {
            for (int draw = 0; draw < 2000; draw++) {
                generator.skipTo(0);
                for (int i = 0; i < 10; i++) {
                    send();
                }
                shown[(int) ((id(tap) - 1) / RECORDS)]++;
            }
        }
        assertThat(Arrays.stream(shown)).allMatch(times -> times > 120 && times < 280);
    }

    @Test
    void shouldShowEachRecordOfABatchAsOftenAsAnyOther() {
        int[] shown = new int[10];
        try (Tap tap = tap()) {
            for (int draw = 0; draw < 2000; draw++) {
                generator.skipTo(0);
                send();
                shown[(int) ((id(tap) - 1) / 10)]++;
            }
        }
        assertThat(Arrays.stream(shown)).allMatch(times -> times > 120 && times < 280);
    }

    @Test
    void shouldShowOnlyRecordsThatAreAlive() {
        byte[] bytes = new byte[RECORDS * TRADE.baseLength()];
        generator.fill(bytes, 0, RECORDS);
        batch.fill(bytes, 0, RECORDS, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        batch.selection()[0] = 41;
        batch.selection()[1] = 99;
        batch.select(2);
        try (Tap tap = tap()) {
            for (int i = 0; i < 50; i++) {
                send(batch);
                assertThat(id(tap)).isIn(42L, 100L);
            }
            batch.select(0);
            send(batch);
            assertThat(tap.take()).isNull();
        }
    }

    @Test
    void shouldLetBatchesOfOthersPass() {
        Schema other = TRADE.base();
        try (Tap tap = tap()) {
            send(new RecordBatch(other)
                    .fill(new byte[TRADE.baseLength()], 0, 1, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
            channel.send(new GenericMessage<>("text"));
            assertThat(tap.take()).isNull();
        }
    }

    @Test
    void shouldLeaveNothingBehind() {
        try (Tap tap = tap()) {
            assertThat(channel.getInterceptors()).containsExactly(tap);
        }
        assertThat(channel.getInterceptors()).isEmpty();
    }
}
