package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.metrics.PipelineMeters;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.monitor.RejectStatus;
import io.millrace.pipeline.tap.Tap;
import io.millrace.pipeline.tap.TapPoint;
import io.millrace.pipeline.tap.TapPoints;
import io.millrace.schema.Field;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.Store;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.messaging.support.InterceptableChannel;

/** The step {@code unnest} in a pipeline: elements of lists as records. */
class UnnestPipelineTest {

    private static final String SCHEMA = """
            schema: order
            layout: compact
            fields:
              - { name: id, type: u32 }
              - { name: note, type: string, length: 300, optional: true }
              - name: party
                type: group
                optional: true
                fields:
                  - { name: name, type: string, length: 8 }
                  - { name: rank, type: u8, optional: true }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: amount, type: i64 }
                  - name: rate
                    type: group
                    optional: true
                    fields:
                      - { name: value, type: f64 }
                  - name: payments
                    type: group
                    repeat: many
                    fields:
                      - { name: day, type: u16 }
              - { name: tags, type: string, length: 4, repeat: many }
            """;

    private static final String CONFIGURATION = """
            millrace:
              regions:
                legs: { layout: blocks, block-records: 3, encoding: ENCODING, persistent: true }
                some: { layout: entries, key: [id, legs_index], persistent: true }
                orders-rejected: { persistent: true }
              pipelines:
                orders:
                  schema: order
                  steps:
                    - filter: id != 7
                    - set: { total: '#sum(legs.![amount])' }
                    - unnest: { list: legs }
                    - set: { share: legs.amount * 100 / total }
                    - filter: legs.amount != 3
                    - route:
                        - { when: legs.amount >= 0, to: legs }
                        - { otherwise: some }
                  rejects: orders-rejected
            """;

    @TempDir
    Path folder;

    private ApplicationContextRunner pipeline(String configuration, String lines) throws IOException {
        return pipeline(SCHEMA, configuration, lines);
    }

    private ApplicationContextRunner pipeline(String schema, String configuration, String lines) throws IOException {
        Path schemas = Files.createDirectories(folder.resolve("schemas"));
        Files.writeString(schemas.resolve("order.yml"), schema);
        Path yaml = Files.writeString(folder.resolve("orders.yml"), configuration);
        Path file = Files.writeString(folder.resolve("orders.jsonl"), lines);
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues(
                        "spring.config.location=" + yaml.toUri(),
                        "millrace.schemas=" + schemas,
                        "millrace.batch-records=4",
                        "millrace.pipelines.orders.feed.json-lines=" + file,
                        "millrace.pipelines.orders.feed.final=true",
                        "millrace.data=" + folder.resolve("data"));
    }

    private static Pipeline done(BeanFactory beans) {
        Pipeline pipeline = beans.getBean(Pipelines.class).named("orders").orElseThrow();
        await().until(() -> pipeline.state() == PipelineState.DONE || pipeline.state() == PipelineState.FAILED);
        assertThat(pipeline.error()).isNull();
        return pipeline;
    }

    private static List<Map<String, @Nullable Object>> query(BeanFactory beans, String region) {
        return beans.getBean(Store.class)
                .query(region, new Query(null, List.of(), List.of(), Query.MAX_LIMIT))
                .records();
    }

    @Test
    void shouldMakeRecordsOfElements() throws IOException {
        String lines = """
                {"id":1,"party":{"name":"A","rank":2},"legs":[{"amount":10,"rate":{"value":0.5}},{"amount":-5},{"amount":3}]}
                {"id":2,"legs":[]}
                {"id":3,"legs":[{"amount":0}]}
                {"id":4,"legs":[{"amount":20}]}
                {"id":7,"legs":[{"amount":20}]}
                """;
        pipeline(CONFIGURATION.replace("ENCODING", "rows"), lines).run(context -> {
            Pipeline pipeline = done(context);
            PipelineStatus status = PipelineStatus.of(pipeline);
            // Orders 1, 3 and 4 become five elements; order 2 has none; order 3 has no share.
            assertThat(status.in()).isEqualTo(5);
            assertThat(status.made()).isEqualTo(5 - 4);
            assertThat(status.dropped()).isEqualTo(2);
            assertThat(status.rejected()).isEqualTo(1);
            assertThat(status.kept()).isEqualTo(3);
            assertThat(status.inFlight()).isZero();
            assertThat(Conservation.holds(pipeline)).isTrue();
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            new PipelineMeters(context.getBean(Pipelines.class)).bindTo(registry);
            assertThat(registry.get("millrace.records.made").gauge().value()).isEqualTo(1);
            assertThat(query(context, "legs"))
                    .extracting(leg -> leg.get("id") + " " + leg.get("party.name") + " " + leg.get("party.rank") + " "
                            + leg.get("legs_index") + " " + leg.get("legs.amount") + " " + leg.get("legs.rate.value")
                            + " " + leg.get("total") + " " + leg.get("share"))
                    .containsExactlyInAnyOrder("1 A 2 0 10 0.5 8 125", "4 null null 0 20 null 20 100");
            assertThat(query(context, "some"))
                    .singleElement()
                    .satisfies(leg ->
                            assertThat(leg).containsEntry("legs_index", 1L).containsEntry("legs.rate.value", null));
            assertThat(query(context, "orders-rejected"))
                    .singleElement()
                    .satisfies(reject ->
                            assertThat(String.valueOf(reject.get("detail"))).contains("zero"));
        });
    }

    private static final String DIVISIONS = """
            millrace:
              regions:
                legs: { layout: blocks }
              pipelines:
                orders:
                  schema: order
                  reject-thresholds: { fail-at: none }
                  steps:
                    - filter: 10 / (id % 2) > 0
                    - unnest: { list: legs }
                    - filter: 10 / legs.amount > 0
                    - to: legs
            """;

    /** Orders with odd ids, of which one element in four is accepted. */
    @Test
    void shouldCompareRejectedElementsWithAllElements() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int id = 1; id < 40; id += 2) {
            lines.append("{\"id\":")
                    .append(id)
                    .append(",\"legs\":[{\"amount\":0},{\"amount\":0},{\"amount\":0},")
                    .append("{\"amount\":1}]}\n");
        }
        lines.append("{\"id\":41,\"legs\":[]}\n");
        pipeline(DIVISIONS, lines.toString()).run(context -> {
            PipelineStatus status = PipelineStatus.of(done(context));
            assertThat(status.rejected()).isEqualTo(60);
            assertThat(status.rejectStatus().records()).isEqualTo(80);
            assertThat(status.rejectStatus().unit()).isEqualTo("elements");
            assertThat(status.rejectStatus().describe()).startsWith("rejected=60 elements=80 share=75.00%");
            assertThat(status.rejectStatus().share()).isEqualTo(0.75);
        });
    }

    /** Orders of which every second one is rejected before its elements are made; a few elements are rejected, too. */
    @Test
    void shouldCompareRejectedRecordsWithTheRecordsOfTheFeed() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int id = 1; id <= 40; id++) {
            List<String> legs = Collections.nCopies(100, "{\"amount\":" + (id == 1 ? 0 : 1) + "}");
            lines.append("{\"id\":" + id + ",\"legs\":[" + String.join(",", legs) + "]}\n");
        }
        pipeline(DIVISIONS, lines.toString()).run(context -> {
            PipelineStatus status = PipelineStatus.of(done(context));
            assertThat(status.rejected()).isEqualTo(120);
            assertThat(status.rejectStatus().rejected()).isEqualTo(20);
            assertThat(status.rejectStatus().records()).isEqualTo(40);
            assertThat(status.rejectStatus().unit()).isEqualTo("records");
            assertThat(status.rejectStatus().share()).isEqualTo(0.5);
            assertThat(status.rejectStatus().reasons())
                    .singleElement()
                    .satisfies(reason -> assertThat(reason.count()).isEqualTo(120));
        });
        pipeline(DIVISIONS.replace("none", "40%"), lines.toString()).run(context -> {
            Pipeline pipeline = context.getBean(Pipelines.class).named("orders").orElseThrow();
            await().until(() -> pipeline.state() == PipelineState.FAILED);
            assertThat(pipeline.error()).contains("Too many rejected records for 'fail-at', 40.00%", "share=50.00%");
        });
    }

    /** Of the first 1,000 orders, only one has an element, which is rejected. */
    @Test
    void shouldNotJudgeByAFewElements() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 1100; i++) {
            String legs = i == 0 ? "{\"amount\":0}" : i < 1000 ? "" : "{\"amount\":1}";
            lines.append("{\"id\":1,\"legs\":[" + legs + "]}\n");
        }
        pipeline(DIVISIONS.replace("none", "40%"), lines.toString()).run(context -> {
            RejectStatus status = PipelineStatus.of(done(context)).rejectStatus();
            assertThat(status.rejected()).isEqualTo(1);
            assertThat(status.records()).isEqualTo(101);
        });
    }

    @Test
    void shouldShowTheRecordsAtEachTapPoint() throws IOException {
        pipeline(CONFIGURATION.replace("ENCODING", "rows"), "").run(context -> {
            PipelinePlan plan = done(context).plan();
            List<TapPoint> points = TapPoints.of(plan);
            assertThat(points.get(2).batches()).isSameAs(plan.schema());
            assertThat(points.get(3).batches()).isSameAs(plan.targetSchema()).isNotSameAs(plan.schema());
            assertThat(points.get(2).schema().fields()).extracting(Field::name).contains("id", "total");
            assertThat(points.get(2).schema().groups()).isNotEmpty();
            assertThat(points.get(3).schema().names())
                    .contains("id", "total", "legs_index", "legs.amount")
                    .doesNotContain("share");
            assertThat(points.getLast().schema().names()).contains("share");
        });
    }

    @Test
    void shouldSampleRecordsOfElements() throws IOException {
        pipeline(CONFIGURATION.replace("ENCODING", "rows"), "").run(context -> {
            Pipeline pipeline = done(context);
            TapPoint point = TapPoints.of(pipeline.plan()).get(3);
            InterceptableChannel channel = context.getBean(point.channels().getFirst(), InterceptableChannel.class);
            try (Tap tap = new Tap(point, List.of(channel), null, InstantSource.system())) {
                byte[] line = "{\"id\":1,\"legs\":[{\"amount\":10},{\"amount\":11}]}".getBytes(StandardCharsets.UTF_8);
                JsonToCompact order =
                        new JsonToCompact(SchemaReader.read("order.yml", SCHEMA.getBytes(StandardCharsets.UTF_8)));
                order.append(line, 0, line.length);
                context.getBean("orders.in", MessageChannel.class)
                        .send(new GenericMessage<>(order.encoder().toBytes()));
                assertThat(tap.take()).isNotNull().satisfies(tapped -> {
                    assertThat(tapped.passed()).isEqualTo(2);
                    assertThat(tapped.stored()).hasSize(point.schema().recordLength());
                });
            }
        });
    }

    @Test
    void shouldMeasureElements() throws IOException {
        String configuration = """
                millrace:
                  regions:
                    all: { layout: blocks }
                    amounts: { layout: entries, key: [start, tags, others] }
                  pipelines:
                    orders:
                      schema: order
                      steps:
                        - unnest: { list: tags }
                        - measure:
                            name: amounts
                            by: tags
                            time: at
                            every: 1h
                            to: amounts
                            values: { n: count(), ids: sum(id) }
                        - to: all
                """;
        String lines = """
                {"id":1,"legs":[],"tags":["a","b"],"at":"2026-11-24T10:00:00Z"}
                {"id":2,"legs":[],"tags":["b"],"at":"2026-11-24T10:30:00Z"}
                {"id":4,"legs":[],"tags":[],"at":"2026-11-24T10:40:00Z"}
                """;
        String schema = SCHEMA + "  - { name: at, type: instant, unit: ms }\n";
        pipeline(schema, configuration, lines).run(context -> {
            done(context);
            assertThat(query(context, "amounts"))
                    .extracting(row -> row.get("tags") + " " + row.get("n") + " " + row.get("ids"))
                    .containsExactlyInAnyOrder("a 1 1", "b 2 3");
        });
    }

    /** The example of docs/guides/rules.md. */
    @Test
    void shouldMeasureAndAggregateElementsAsDocumented() throws IOException {
        String steps = """
                steps:
                  - unnest: { list: legs }
                  - measure:
                      name: notionals
                      by: legs.currency as currency
                      time: seen
                      every: 1h
                      to: notionals
                      values: { legs: count(), notional: sum(legs.notional) }
                  - to: legs
                """;
        assertThat(Path.of("docs/guides/rules.md")).content().contains(steps);
        String schema = """
                schema: order
                layout: compact
                fields:
                  - { name: seen, type: instant, unit: ms }
                  - name: legs
                    type: group
                    repeat: many
                    fields:
                      - { name: currency, type: enum, values: [EUR, USD] }
                      - { name: notional, type: decimal, scale: 2 }
                """;
        String configuration = """
                millrace:
                  regions:
                    legs: { layout: blocks }
                    notionals: { layout: entries, key: [start, currency, others] }
                  pipelines:
                    orders:
                      schema: order
                """ + steps.indent(6);
        String lines = """
                {"seen":"2026-11-24T10:00:00Z","legs":[{"currency":"EUR","notional":1.5},{"currency":"USD","notional":2}]}
                {"seen":"2026-11-24T10:30:00Z","legs":[{"currency":"EUR","notional":3}]}
                """;
        pipeline(schema, configuration, lines).run(context -> {
            done(context);
            assertThat(query(context, "notionals"))
                    .extracting(row -> row.get("currency") + " " + row.get("legs") + " " + row.get("notional"))
                    .containsExactlyInAnyOrder("EUR 2 4.50", "USD 1 2.00");
            AggregateQuery aggregate =
                    new AggregateQuery(null, List.of("legs.currency"), List.of("count()", "sum(legs.notional)"), 10);
            assertThat(context.getBean(Store.class).aggregate("legs", aggregate).groups())
                    .extracting(group -> group.get("legs.currency") + " " + group.get("count()") + " "
                            + group.get("sum(legs.notional)"))
                    .containsExactlyInAnyOrder("EUR 2 4.50", "USD 1 2.00");
        });
        pipeline(schema, """
                millrace:
                  regions:
                    orders: { layout: blocks }
                  pipelines:
                    orders:
                      schema: order
                      steps:
                        - to: orders
                """, lines).run(context -> {
            done(context);
            AggregateQuery whole = new AggregateQuery(null, List.of(), List.of("sum(#sum(legs.![notional]))"), 10);
            assertThat(context.getBean(Store.class).aggregate("orders", whole).groups())
                    .singleElement()
                    .satisfies(group -> assertThat(group.values())
                            .anySatisfy(value -> assertThat(value).hasToString("6.50")));
        });
    }

    /** Records of elements are stored once, whatever the block and the batch in which their record ends. */
    @ParameterizedTest
    @ValueSource(strings = {"rows", "columns"})
    void shouldStoreEachElementOnceOverRestarts(String encoding) throws IOException {
        Random random = new Random(5);
        StringBuilder lines = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int id = 100; id < 136; id++) {
            int count = random.nextInt(9);
            List<String> legs = new ArrayList<>();
            for (int leg = 0; leg < count; leg++) {
                legs.add("{\"amount\":" + (leg + 10) + "}");
                expected.add(id + " " + leg);
            }
            lines.append("{\"id\":" + id + ",\"legs\":[" + String.join(",", legs) + "]}\n");
            if (id % 9 == 0) {
                pipeline(CONFIGURATION.replace("ENCODING", encoding), lines.toString())
                        .run(context -> {
                            done(context);
                            assertThat(query(context, "legs"))
                                    .extracting(leg -> leg.get("id") + " " + leg.get("legs_index"))
                                    .containsExactlyInAnyOrderElementsOf(expected);
                        });
            }
        }
    }

    @Test
    void shouldUnnestListsInElementsAndListsOfValues() throws IOException {
        String configuration = """
                millrace:
                  regions: { all: { layout: blocks } }
                  pipelines:
                    orders:
                      schema: order
                      steps:
                        - unnest: { list: LIST }
                        - to: all
                """;
        String lines = """
                {"id":1,"legs":[{"amount":1,"payments":[{"day":5},{"day":6}]},{"amount":2},{"amount":3,"payments":[{"day":7}]}],"tags":["a","b"]}
                {"id":2,"legs":[],"tags":["c"]}
                """;
        pipeline(configuration.replace("LIST", "legs.payments"), lines).run(context -> {
            done(context);
            assertThat(query(context, "all"))
                    .extracting(payment -> payment.get("id") + " " + payment.get("legs_index") + " "
                            + payment.get("legs.amount") + " " + payment.get("legs_payments_index") + " "
                            + payment.get("legs.payments.day"))
                    .containsExactlyInAnyOrder("1 0 1 0 5", "1 0 1 1 6", "1 2 3 0 7");
        });
        pipeline(configuration.replace("LIST", "tags"), lines).run(context -> {
            done(context);
            assertThat(query(context, "all"))
                    .extracting(tag -> tag.get("id") + " " + tag.get("tags_index") + " " + tag.get("tags"))
                    .containsExactlyInAnyOrder("1 0 a", "1 1 b", "2 0 c");
        });
        pipeline(configuration.replace("LIST", "leg"), lines)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(
                                "Unknown list 'leg'. Did you mean 'legs'? Use one of: legs, legs.payments, tags."));
    }

    /** Records with some of the fields are those with all fields, without the others. */
    @Test
    void shouldCopyTheChosenFieldsOnly() throws IOException {
        List<String> all = List.of(
                "id",
                "note",
                "party.name",
                "party.rank",
                "legs_index",
                "legs.amount",
                "legs.rate.value",
                "legs_payments_index",
                "legs.payments.day");
        Random random = new Random(6);
        List<List<String>> choices = new ArrayList<>();
        StringBuilder regions = new StringBuilder();
        StringBuilder pipelines = new StringBuilder();
        Path file = folder.resolve("orders.jsonl");
        for (int i = 0; i < 12; i++) {
            int run = i;
            List<String> chosen = new ArrayList<>(
                    all.stream().filter(_ -> random.nextInt(3) == 0 || run == 0).toList());
            if (chosen.isEmpty()) {
                chosen.add(all.get(run % all.size()));
            }
            Collections.shuffle(chosen, random);
            choices.add(chosen);
            regions.append("    r%s: { layout: blocks }\n".formatted(i));
            pipelines.append("""
                        p%s:
                          schema: order
                          feed: { json-lines: %s }
                          steps: [ { unnest: { list: legs.payments, fields: [%s] } }, { to: r%s } ]
                    """.formatted(i, file, String.join(", ", chosen), i));
        }
        String configuration = """
                millrace:
                  regions:
                    all: { layout: blocks }
                %s  pipelines:
                    orders: { schema: order, steps: [ { unnest: { list: legs.payments } }, { to: all } ] }
                %s
                """.formatted(regions, pipelines);
        pipeline(configuration, lines(random, 60)).run(context -> {
            assertThat(context).hasNotFailed();
            done(context);
            Pipelines running = context.getBean(Pipelines.class);
            List<Map<String, @Nullable Object>> whole = query(context, "all");
            assertThat(whole).hasSizeGreaterThan(100);
            assertThat(whole.getFirst()).containsOnlyKeys(all);
            for (int i = 0; i < choices.size(); i++) {
                Pipeline pipeline = running.named("p" + i).orElseThrow();
                await().until(() -> pipeline.state() == PipelineState.DONE);
                List<String> chosen = choices.get(i);
                List<Map<String, @Nullable Object>> expected = new ArrayList<>();
                for (Map<String, @Nullable Object> record : whole) {
                    Map<String, @Nullable Object> some = new LinkedHashMap<>(record);
                    some.keySet().retainAll(chosen);
                    expected.add(some);
                }
                assertThat(query(context, "r" + i)).as(chosen.toString()).containsExactlyInAnyOrderElementsOf(expected);
            }
        });
    }

    private static String lines(Random random, int orders) {
        StringBuilder lines = new StringBuilder();
        for (int id = 1; id <= orders; id++) {
            List<String> legs = new ArrayList<>();
            for (int leg = random.nextInt(4); leg > 0; leg--) {
                List<String> days = new ArrayList<>();
                for (int payment = random.nextInt(4); payment > 0; payment--) {
                    days.add("{\"day\":" + random.nextInt(365) + "}");
                }
                legs.add("{\"amount\":" + random.nextInt(1000)
                        + (random.nextBoolean() ? ",\"rate\":{\"value\":" + random.nextInt(9) + ".5}" : "")
                        + ",\"payments\":" + days + "}");
            }
            String note = random.nextBoolean() ? ",\"note\":\"n" + id + "\"" : "";
            String party = random.nextBoolean()
                    ? ",\"party\":{\"name\":\"p" + id + "\"" + (random.nextBoolean() ? ",\"rank\":" + id % 9 : "") + "}"
                    : "";
            lines.append("{\"id\":" + id + note + party + ",\"legs\":" + legs + "}\n");
        }
        return lines.toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            { list: legs, fields: [id, legs.amuont] } | Unknown field 'legs.amuont'. Did you mean 'legs.amount'? Use fields of: id, note, party.name, party.rank, legs_index, legs.amount, legs.rate.value.
            { list: legs, fields: [tags] }            | Unknown field 'tags'. Use fields of:
            { list: legs, fields: [id, id] }          | Duplicate field 'id'. Remove one of them.
            { fields: [id] }                          | Missing value: the name of a list.
            legs                                      | Invalid value: a single text. Use a mapping with: list, fields.
            """)
    void shouldSayWhatIsWrong(String unnest, String message) throws IOException {
        pipeline("""
                        millrace:
                          regions: { all: { layout: blocks } }
                          pipelines:
                            orders: { schema: order, steps: [ { unnest: %s }, { to: all } ] }
                        """.formatted(unnest), "")
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining(message));
    }

    /** More elements than a batch passes on at once, and more bytes of elements than one record may have. */
    @Test
    void shouldPassOnManyElementsInBatches() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int id = 0; id < 3; id++) {
            int count = id == 1 ? 65_000 : 5_000;
            lines.append("{\"id\":").append(id + 1).append(",\"legs\":[");
            for (int leg = 0; leg < count; leg++) {
                lines.append(leg == 0 ? "" : ",").append("{\"amount\":1}");
            }
            lines.append("]}\n");
        }
        pipeline(CONFIGURATION.replace("ENCODING", "columns"), lines.toString()).run(context -> {
            Pipeline pipeline = done(context);
            PipelineStatus status = PipelineStatus.of(pipeline);
            assertThat(status.kept()).isEqualTo(10_000);
            assertThat(status.rejected()).isEqualTo(1);
            assertThat(query(context, "orders-rejected"))
                    .singleElement()
                    .satisfies(reject -> assertThat(String.valueOf(reject.get("detail")))
                            .startsWith("Too many elements of 'legs': 65000 of "));
        });
    }
}
