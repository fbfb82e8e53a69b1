package io.millrace.pipeline.shadow;

import static io.millrace.pipeline.rules.RulesRunner.done;
import static io.millrace.pipeline.rules.RulesRunner.pipeline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.rules.RulesRunner;
import io.millrace.pipeline.rules.RulesRunner.Gate;
import io.millrace.pipeline.shadow.ShadowReport.Example;
import io.millrace.pipeline.shadow.ShadowReport.Group;
import io.millrace.pipeline.shadow.ShadowReport.Side;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.integration.channel.AbstractMessageChannel;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.GenericMessage;

/** Rules with a step {@code unnest}, compared record by record that it makes. */
class UnnestComparisonTest {

    private static final int ORDERS = 2_000;
    private static final String REGIONS = """
            buys: { layout: blocks, persistent: true }
            sells: { layout: entries, key: [id, legs_index], persistent: true }
            """;
    private static final String SCHEMA = """
            schema: order
            layout: compact
            fields:
              - { name: id, type: u32 }
              - { name: desk, type: u8 }
              - { name: note, type: string, length: 2000, optional: true }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: amount, type: i64 }
            """;

    @TempDir
    Path folder;

    private List<Order> orders = List.of();

    private record Order(int id, int desk, List<Integer> legs) {

        String json() {
            List<String> all =
                    legs.stream().map(amount -> "{\"amount\":" + amount + "}").toList();
            return "{\"id\":" + id + ",\"desk\":" + desk + ",\"legs\":" + all + "}\n";
        }
    }

    /**
     * Rules.
     *
     * @param dropsOrders orders whose id is a multiple are dropped before the step
     * @param rejectsOrders the others whose id is a multiple are rejected before the step
     * @param drops elements whose amount is a multiple are dropped
     * @param rejects the others whose amount is a multiple are rejected
     * @param marks the others whose amount is a multiple get the share 2
     * @param sells the others whose amount is a multiple are sent to the region sells, the others to buys
     */
    private record Rules(int dropsOrders, int rejectsOrders, int drops, int rejects, int marks, int sells) {

        static Rules random(Random random) {
            return new Rules(
                    2 + random.nextInt(9),
                    2 + random.nextInt(20),
                    2 + random.nextInt(6),
                    2 + random.nextInt(12),
                    2 + random.nextInt(8),
                    1 + random.nextInt(5));
        }

        String text() {
            return """
                    steps:
                    - filter: id %% %d != 0 and 100 / (id %% %d) > 0
                    - set: { legCount: legs.size() }
                    - unnest: { list: legs }
                    - filter: legs.amount %% %d != 0 and 100 / (legs.amount %% %d) > 0
                    - set: { share: 'legs.amount %% %d == 0 ? 2.0 : 1.0' }
                    - route: [ { when: legs.amount %% %d == 0, to: sells }, { otherwise: buys } ]
                    """.formatted(dropsOrders, rejectsOrders, drops, rejects, marks, sells);
        }

        /** Returns the result of an order before the step; null if it reaches the step. */
        @Nullable
        Result before(Order order) {
            if (order.id % dropsOrders == 0) {
                return new Result("dropped", null, 0);
            }
            if (order.id % rejectsOrders == 0) {
                return new Result("rejected", null, 0);
            }
            return order.legs.isEmpty() ? new Result("dropped", null, 0) : null;
        }

        Result of(int amount) {
            if (amount % drops == 0) {
                return new Result("dropped", null, 0);
            }
            if (amount % rejects == 0) {
                return new Result("rejected", null, 0);
            }
            return new Result("kept", amount % sells == 0 ? "sells" : "buys", amount % marks == 0 ? 2 : 1);
        }
    }

    private record Result(String outcome, @Nullable String target, int share) {

        @Nullable
        Difference from(Result live) {
            if (equals(live)) {
                return null;
            }
            return switch (outcome) {
                case "dropped" -> live.outcome.equals("dropped") ? null : Difference.NEWLY_DROPPED;
                case "rejected" -> live.outcome.equals("rejected") ? null : Difference.NEWLY_REJECTED;
                default ->
                    target == null || !live.outcome.equals("kept")
                            ? Difference.NEWLY_KEPT
                            : target.equals(live.target) ? Difference.OTHER_VALUES : Difference.OTHER_TARGET;
            };
        }
    }

    /** What is expected of a comparison. */
    private static final class Expected {
        private final Map<Difference, Long> differences = new EnumMap<>(Difference.class);
        private final Map<Integer, Map<Difference, Long>> byDesk = new TreeMap<>();
        private long records;
        private long same;

        Expected(List<Order> orders, Rules live, Rules other) {
            for (Difference difference : Difference.values()) {
                differences.put(difference, 0L);
            }
            for (Order order : orders) {
                Result before = live.before(order);
                Result after = other.before(order);
                if (before != null && after != null) {
                    add(order, before, after);
                } else {
                    for (int amount : order.legs) {
                        add(
                                order,
                                Objects.requireNonNullElseGet(before, () -> live.of(amount)),
                                Objects.requireNonNullElseGet(after, () -> other.of(amount)));
                    }
                }
            }
        }

        private void add(Order order, Result before, Result after) {
            records++;
            Difference difference = after.from(before);
            if (difference == null) {
                same++;
            } else {
                differences.merge(difference, 1L, Long::sum);
                byDesk.computeIfAbsent(order.desk, _ -> new EnumMap<>(Difference.class))
                        .merge(difference, 1L, Long::sum);
            }
        }

        void require(ShadowReport report) {
            requireCounts(report);
            assertThat(report.skipped()).isZero();
        }

        void requireCounts(ShadowReport report) {
            assertThat(report.differences()).isEqualTo(differences);
            assertThat(report.records()).isEqualTo(records);
            assertThat(report.same()).isEqualTo(same);
        }
    }

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/order.yml"), SCHEMA);
        write(orders(new Random(5), 12));
    }

    private static List<Order> orders(Random random, int maxLegs) {
        List<Order> orders = new ArrayList<>();
        for (int id = 1; id <= ORDERS; id++) {
            List<Integer> legs = new ArrayList<>();
            for (int i = random.nextInt(maxLegs + 1); i > 0; i--) {
                legs.add(1 + random.nextInt(1000));
            }
            orders.add(new Order(id, random.nextInt(4), legs));
        }
        return orders;
    }

    private void write(List<Order> written) throws IOException {
        orders = written;
        StringBuilder lines = new StringBuilder();
        orders.forEach(order -> lines.append(order.json()));
        Schema schema = SchemaReader.read("order.yml", SCHEMA.getBytes(StandardCharsets.UTF_8));
        ByteArrayInputStream in = new ByteArrayInputStream(lines.toString().getBytes(StandardCharsets.UTF_8));
        try (OutputStream out = Files.newOutputStream(folder.resolve("orders.bin"))) {
            RecordFormat.JSON.convert(RecordFormat.BINARY, schema, in, out, bad -> {
                throw new AssertionError(bad);
            });
        }
    }

    private ApplicationContextRunner runner(String steps) {
        return runner(REGIONS, steps);
    }

    private ApplicationContextRunner runner(String regions, String steps) {
        return new RulesRunner(folder)
                .configured(
                        regions + "orders: { layout: blocks, schema: order }\n",
                        "feed: { file: " + folder.resolve("orders.bin") + " }", // with other bytes between records
                        steps,
                        "keep-raw: orders")
                .withUserConfiguration(ShadowClock.class)
                .withPropertyValues(
                        "millrace.schemas=" + folder.resolve("schemas"), "millrace.pipelines.trades.schema=order");
    }

    private static RunningShadow start(ApplicationContext context, String steps) {
        return context.getBean(Shadows.class)
                .start(context.getBean(RuleChanges.class).of("trades").orElseThrow(), steps, "ann");
    }

    private static ShadowReport backtest(ApplicationContext context, String steps, String... by) {
        return context.getBean(Shadows.class)
                .backtest(context.getBean(RuleChanges.class).of("trades").orElseThrow(), steps, List.of(by))
                .run(context.getBean(Store.class), "orders", null, Query.UNLIMITED, Duration.ofSeconds(60))
                .comparison();
    }

    private static void awaitStart(ApplicationContext context) {
        await().until(() -> pipeline(context).rules().version() > 0);
    }

    @Test
    void shouldCompareTheRecordsThatAreMadeOfElements() {
        Rules live = new Rules(7, 11, 3, 13, 4, 2);
        Rules other = new Rules(9, 8, 4, 7, 5, 3);
        runner(live.text()).withBean(Gate.class).run(context -> {
            awaitStart(context);
            RunningShadow shadow = start(context, other.text());
            Gate.of(context).open();
            PipelineStatus status = done(context);

            new Expected(orders, live, other).require(shadow.report());
            assertThat(shadow.ended()).isNull();
            shadow.report().examples().forEach(example -> assertExample(example, live, other));
            for (Difference difference : Difference.values()) {
                assertThat(shadow.report().examples())
                        .filteredOn(example -> example.difference() == difference)
                        .hasSize(Comparison.EXAMPLES);
            }
            long kept = orders.stream()
                    .filter(order -> live.before(order) == null)
                    .flatMap(order -> order.legs.stream())
                    .filter(amount -> live.of(amount).outcome.equals("kept"))
                    .count();
            assertThat(status.kept()).isEqualTo(kept);
        });
    }

    private void assertExample(Example example, Rules live, Rules other) {
        int id = Math.toIntExact(
                (Long) Objects.requireNonNull(example.live().values().get("id")));
        Order order = orders.get(id - 1);
        Long amount = (Long) (live.before(order) == null ? example.live() : example.shadow())
                .values()
                .get("legs.amount");
        assertThat(example.position()).isNotNull();
        Result before = result(live, order, amount);
        Result after = result(other, order, amount);
        assertThat(after.from(before)).isEqualTo(example.difference());
        assertSide(example.live(), before, id);
        assertSide(example.shadow(), after, id);
    }

    private static Result result(Rules rules, Order order, @Nullable Long amount) {
        Result before = rules.before(order);
        return before != null ? before : rules.of(Math.toIntExact(Objects.requireNonNull(amount)));
    }

    private static void assertSide(Side side, Result expected, int id) {
        assertThat(side.outcome()).isEqualTo(expected.outcome());
        assertThat(side.target()).isEqualTo(expected.target());
        assertThat(side.values()).containsEntry("id", (long) id);
        assertThat(side.reason() != null).isEqualTo(expected.outcome().equals("rejected"));
        if (expected.outcome().equals("kept")) {
            assertThat(side.values()).containsEntry("share", (double) expected.share());
        }
    }

    @Test
    void shouldCountWhatRandomRulesWouldHaveDoneOnTheRecordsOfARegion() {
        Random random = new Random(8);
        Rules live = Rules.random(random);
        runner(live.text()).run(context -> {
            done(context);
            for (int i = 0; i < 20; i++) {
                Rules other = Rules.random(random);
                Expected expected = new Expected(orders, live, other);
                ShadowReport report = backtest(context, other.text(), "desk");
                expected.require(report);
                Map<Integer, Map<Difference, Long>> byDesk = new TreeMap<>();
                for (Group group : report.groups()) {
                    byDesk.put(Integer.valueOf(group.by().get("desk")), group.differences());
                }
                assertThat(byDesk).isEqualTo(expected.byDesk);
            }
        });
    }

    @Test
    void shouldCompareElementsThatArePassedOnInSeveralBatches() throws IOException {
        write(orders(new Random(3), 200));
        Rules live = new Rules(7, 11, 3, 13, 4, 2);
        Rules other = new Rules(9, 8, 4, 7, 5, 3);
        runner(live.text()).withBean(Gate.class).run(context -> {
            awaitStart(context);
            RunningShadow shadow = start(context, other.text());
            Gate.of(context).pass(1);
            await().until(() -> shadow.report().records() > 0);
            int first = Math.toIntExact(pipeline(context).arrived().get());
            new Expected(orders.subList(0, first), live, other).require(shadow.report());
            assertThat(shadow.report().records()).isGreaterThan(4096);
            Gate.of(context).open();
            done(context);
            new Expected(orders, live, other).require(backtest(context, other.text()));
        });
    }

    @Test
    void shouldSkipABatchWhoseElementsTakeTooMuchMemory() throws IOException {
        Predicate<Order> large = order -> order.id > 100 && order.id <= 200;
        List<Integer> legs = new ArrayList<>();
        for (int i = 0; i < 500; i++) { // each element has the note, so those of an order take 1 MB
            legs.add(1 + i % 1000);
        }
        write(orders(new Random(3), 3).stream()
                .map(order -> large.test(order) ? new Order(order.id, order.desk, legs) : order)
                .limit(300)
                .toList());
        Rules live = new Rules(7, 11, 3, 13, 4, 2);
        Rules other = new Rules(9, 8, 4, 7, 5, 3);
        runner(live.text()).withBean(Gate.class).run(context -> {
            awaitStart(context);
            RunningShadow shadow = start(context, other.text());
            Gate.of(context).pass(1);
            await().until(() -> shadow.report().records() > 0);
            ShadowReport first = shadow.report();
            Gate.of(context).pass(1);
            await().until(() -> shadow.report().skipped() == 100);
            ShadowReport report = shadow.report();
            // The times of batches that are not compared don't count for the records of those that are.
            assertThat(report.nanosPerRecord()).isEqualTo(first.nanosPerRecord());
            assertThat(report.liveNanosPerRecord()).isEqualTo(first.liveNanosPerRecord());
            new Expected(orders.subList(0, 100), live, other).requireCounts(report);
            assertThat(shadow.ended()).isNull();
            Gate.of(context).open();
            done(context);
        });
    }

    /** Sends copies of records to the channel of the step that makes them, each time before the step does. */
    private record Copying(MessageChannel channel) implements ChannelInterceptor {

        @Override
        public Message<?> preSend(Message<?> message, MessageChannel sent) {
            if (message.getPayload() instanceof RecordBatch batch && batch.isMade()) {
                RecordBatch copy = new RecordBatch(batch.schema());
                copy.fill(batch.bytes().clone(), 0, batch.count(), RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
                channel.send(new GenericMessage<>(copy));
            }
            return message;
        }
    }

    /** Before the shadow observes a batch of the step, and afterwards. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldIgnoreBatchesThatTheStepHasNotSent(boolean first) {
        Rules live = new Rules(7, 11, 3, 13, 4, 2);
        Rules other = new Rules(9, 8, 4, 7, 5, 3);
        runner(live.text()).withBean(Gate.class).run(context -> {
            awaitStart(context);
            RunningShadow shadow = start(context, other.text());
            String name = pipeline(context)
                    .plan()
                    .stages()
                    .getFirst()
                    .steps()
                    .getLast()
                    .explanation()
                    .name();
            AbstractMessageChannel channel = context.getBean(name, AbstractMessageChannel.class);
            channel.addInterceptor(first ? 0 : channel.getInterceptors().size(), new Copying(channel));
            Gate.of(context).open();
            done(context);

            assertThat(shadow.ended()).isNull();
            new Expected(orders, live, other).require(shadow.report());
        });
    }

    @Test
    void shouldRefuseRulesWithAnotherStepUnnest() {
        DirectChannel out = new DirectChannel();
        out.subscribe(_ -> {});
        runner("", "steps:\n- unnest: { list: legs }\n- to: channel:out\n")
                .withBean("out", DirectChannel.class, () -> out)
                .run(context -> {
                    done(context);
                    for (String steps : List.of(
                            "steps:\n- to: channel:out\n",
                            "steps:\n- unnest: { list: legs, fields: [id] }\n- to: channel:out\n")) {
                        assertThatExceptionOfType(ShadowException.class)
                                .isThrownBy(() -> start(context, steps))
                                .withMessage("The 'unnest' steps differ from those of pipeline 'trades'. Use the same"
                                        + " lists and fields, or test the rules with 'millrace test'.");
                    }
                    assertThat(context.getBean(Shadows.class).of("trades")).isEmpty();
                });
    }
}
