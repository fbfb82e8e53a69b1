package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.feed.ChannelDefinition;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.pipeline.definition.LateThresholds;
import io.millrace.pipeline.definition.Parallelism;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.PipelinePlanner;
import io.millrace.pipeline.definition.RejectThresholds;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.Flow;
import io.millrace.pipeline.step.StepOutput;
import io.millrace.pipeline.step.route.Branch;
import io.millrace.pipeline.step.route.RouteDefinition;
import io.millrace.schema.yaml.Schemas;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How many records each branch of a route was asked for and took, counted against the trades themselves. */
class RouteFlowTest {

    private static final int BATCHES = 7;
    private static final int TRADES = 300;
    private static final int NO_RESULT_ID = 3;

    private static final Branch POUNDS = new Branch("currency1 == 'GBP'", List.of("buys"), List.of());
    private static final Branch NO_RESULT = new Branch("1000 / (id - 3) < 0 or id < 30", List.of("sells"), List.of());
    private static final Branch LARGE = new Branch("amount1 > 1000000", List.of("buys"), List.of());
    private static final Branch REST = new Branch(null, List.of(), List.of("others"));

    private final Map<String, Long> received = new HashMap<>();
    private long rejected;

    /** What conditions of the test hold for, by hand; one trade has no result for the second one. */
    private record Expected(long pounds, long few, long large, long rest) {

        static Expected of(List<Trade> trades) {
            long pounds = 0;
            long few = 0;
            long large = 0;
            long rest = 0;
            for (Trade trade : trades) {
                boolean decided = trade.currency1() == 5 || trade.id() == NO_RESULT_ID;
                pounds += trade.currency1() == 5 ? 1 : 0;
                few += !decided && trade.id() < 30 ? 1 : 0;
                large += !decided && trade.id() >= 30 && trade.cents1() > 100_000_000 ? 1 : 0;
                rest += !decided && trade.id() >= 30 && trade.cents1() <= 100_000_000 ? 1 : 0;
            }
            return new Expected(pounds * BATCHES, few * BATCHES, large * BATCHES, rest * BATCHES);
        }
    }

    @Test
    void shouldCountEachBranchWhereAllLeadToDifferentTargets() {
        Branch large = new Branch(LARGE.when(), List.of("larges"), List.of());
        shouldCount(List.of(POUNDS, NO_RESULT, large, REST), 4);
    }

    @Test
    void shouldCountEachBranchWhereTwoLeadToOneTarget() {
        shouldCount(List.of(POUNDS, NO_RESULT, LARGE, REST), 3);
    }

    private void shouldCount(List<Branch> branches, int targets) {
        List<Trade> trades = TradeFile.random(TRADES, 21);
        Expected expected = Expected.of(trades);
        assertThat(trades.get(NO_RESULT_ID - 1).currency1()).isNotEqualTo(5);
        assertThat(List.of(expected.pounds, expected.few, expected.large, expected.rest))
                .allMatch(count -> count > 0);

        BatchStep step = run(branches, trades);

        long all = (long) BATCHES * TRADES;
        assertThat(rejected).isEqualTo(BATCHES);
        assertThat(step.flow(0)).isEqualTo(new Flow(all, expected.pounds));
        long left = all - BATCHES - expected.pounds;
        assertThat(step.flow(1)).isEqualTo(new Flow(left, expected.few));
        left -= expected.few;
        assertThat(step.flow(2)).isEqualTo(new Flow(left, expected.large));
        assertThat(step.flow(3)).isEqualTo(new Flow(expected.rest, expected.rest));
        assertThat(received).hasSize(targets).containsEntry("others", expected.rest);
        assertThat(received.values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(step.out().get())
                .isEqualTo(all - BATCHES);
    }

    @Test
    void shouldCountWhatNoBranchTakesAsDropped() {
        for (String last : List.of("larges", "buys")) {
            BatchStep step = run(
                    List.of(POUNDS, new Branch(LARGE.when(), List.of(last), List.of())), TradeFile.random(TRADES, 22));

            assertThat(dropped(step)).isPositive();
            assertThat(step.flow(0).out() + step.flow(1).out() + dropped(step)).isEqualTo((long) BATCHES * TRADES);
            assertThat(step.flow(1).in() - step.flow(1).out()).isEqualTo(dropped(step));
        }
    }

    @Test
    void shouldSendEachRecordToAllTargetsOfItsBranch() {
        List<Trade> trades = TradeFile.random(TRADES, 23);
        Expected expected = Expected.of(trades);
        BatchStep step = run(
                List.of(
                        new Branch(POUNDS.when(), List.of("buys", "larges"), List.of()),
                        NO_RESULT,
                        new Branch(LARGE.when(), List.of("sells", "buys", "others"), List.of()),
                        REST),
                trades);

        assertThat(received)
                .containsOnly(
                        entry("buys", expected.pounds + expected.large),
                        entry("larges", expected.pounds),
                        entry("sells", expected.few + expected.large),
                        entry("others", expected.large + expected.rest));
        assertThat(Objects.requireNonNull(step.copied()).get()).isEqualTo(expected.pounds + 2 * expected.large);
        assertThat(dropped(step)).isZero();
        assertThat(step.flow(2).out()).isEqualTo(expected.large);
    }

    private static long dropped(BatchStep step) {
        return Objects.requireNonNull(step.dropped()).get();
    }

    private BatchStep run(List<Branch> branches, List<Trade> trades) {
        PipelineDefinition definition = new PipelineDefinition(
                "trades",
                new ChannelDefinition("trades.in"),
                "trade",
                List.of(new RouteDefinition(branches)),
                null,
                List.of(),
                RejectThresholds.DEFAULT,
                LateThresholds.DEFAULT,
                false,
                false,
                Parallelism.NONE);
        PipelinePlan plan = new PipelinePlanner(
                        definition,
                        Schemas.builtIn().get("trade"),
                        Map.of(),
                        Set.of("buys", "sells", "larges", "others"),
                        FunctionRegistry.empty(),
                        problem -> {
                            throw new AssertionError(problem);
                        })
                .plan();
        Map<String, StepOutput> channels = new HashMap<>();
        BatchStep step = plan.steps()
                .getFirst()
                .create(StepContexts.of(
                        plan,
                        channel -> channels.computeIfAbsent(
                                channel, name -> receiver(name.substring("trades.to-".length()))),
                        (batch, ordinal, reason) -> rejected++));
        byte[] bytes = new byte[trades.size() * TradeFile.LENGTH];
        for (int i = 0; i < trades.size(); i++) {
            System.arraycopy(trades.get(i).bytes(), 0, bytes, i * TradeFile.LENGTH, TradeFile.LENGTH);
        }
        RecordBatch batch = new RecordBatch(plan.schema());
        for (int i = 0; i < BATCHES; i++) {
            step.accept(batch.fill(bytes, 0, trades.size(), 0, 0));
        }
        return step;
    }

    private StepOutput receiver(String name) {
        return batch -> received.merge(name, (long) batch.selected(), Long::sum);
    }
}
