package io.millrace.pipeline.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.extension.NoSettings;
import io.millrace.feed.ChannelDefinition;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.text.CsvFeedFactory;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.enrich.EnrichDefinition;
import io.millrace.pipeline.step.enrich.OnMiss;
import io.millrace.pipeline.step.filter.FilterDefinition;
import io.millrace.pipeline.step.measure.MeasureStepDefinition;
import io.millrace.pipeline.step.route.Branch;
import io.millrace.pipeline.step.route.RouteDefinition;
import io.millrace.pipeline.step.route.ToDefinition;
import io.millrace.pipeline.step.set.SetDefinition;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The fingerprints by which {@code on-rules-change} notices other rules. */
class PipelineRulesTest {

    private static final StepDefinition TO = ToDefinition.of("r");

    private static String rules(String schema, StepDefinition... steps) {
        return rules(Schemas.builtIn().get(schema), new ChannelDefinition("p"), steps);
    }

    private static String rules(Schema schema, FeedDefinition feed, StepDefinition... steps) {
        return new PipelinePlan(
                        new PipelineDefinition(
                                "p",
                                feed,
                                schema.name(),
                                List.of(steps),
                                null,
                                List.of(),
                                RejectThresholds.DEFAULT,
                                LateThresholds.DEFAULT,
                                false,
                                false,
                                Parallelism.NONE),
                        List.of(new PipelinePlan.Stage(schema, List.of())))
                .rules();
    }

    private static String rules(StepDefinition... steps) {
        return rules("trade", steps);
    }

    private static EnrichDefinition enrich(
            String table, String key, Map<String, String> add, OnMiss onMiss, Map<String, String> defaults) {
        return new EnrichDefinition(table, key, add, onMiss, defaults);
    }

    /** Fingerprints are stored with positions: another text would refuse a start after a crash. */
    @Test
    void shouldGiveTheSameFingerprintInEveryVersion() {
        assertThat(rules(
                        new FilterDefinition("amount1 > 5"),
                        enrich("desks", "id", Map.of("desk", "name"), OnMiss.DEFAULT, Map.of("desk", "none")),
                        new SetDefinition(Map.of("total", "amount1 + amount2")),
                        new RouteDefinition(List.of(
                                new Branch("id > 5", List.of("large"), List.of()),
                                new Branch(null, List.of(), List.of("channel:rest"))))))
                .isEqualTo("b2978594");
    }

    @Test
    void shouldDifferWhereAStepDiffers() {
        Map<String, String> add = Map.of("a", "b");
        Map<String, String> none = Map.of();
        List<String> all = Stream.of(
                        TO,
                        ToDefinition.of("s"),
                        ToDefinition.of("channel:r"),
                        new FilterDefinition("id > 5"),
                        new FilterDefinition("id > 6"),
                        new SetDefinition(Map.of("a", "b")),
                        new SetDefinition(Map.of("a", "c")),
                        new SetDefinition(Map.of("b", "b")),
                        enrich("t", "k", add, OnMiss.ABSENT, none),
                        enrich("u", "k", add, OnMiss.ABSENT, none),
                        enrich("t", "l", add, OnMiss.ABSENT, none),
                        enrich("t", "k", Map.of("a", "c"), OnMiss.ABSENT, none),
                        enrich("t", "k", add, OnMiss.REJECT, none),
                        enrich("t", "k", add, OnMiss.DEFAULT, none),
                        enrich("t", "k", add, OnMiss.DEFAULT, add),
                        enrich("t", "k", none, OnMiss.DEFAULT, add),
                        new RouteDefinition(List.of(new Branch("id > 5", List.of("r"), List.of()))),
                        new RouteDefinition(List.of(new Branch("id > 6", List.of("r"), List.of()))),
                        new RouteDefinition(List.of(new Branch("id > 5", List.of("s"), List.of()))),
                        new RouteDefinition(List.of(new Branch(null, List.of(), List.of("r")))))
                .map(PipelineRulesTest::rules)
                .toList();
        assertThat(all).doesNotHaveDuplicates().allMatch(rules -> rules.length() == 8);
    }

    @Test
    void shouldDifferWhereOrderOrSchemaDiffers() {
        StepDefinition first = new FilterDefinition("id > 5");
        StepDefinition second = new FilterDefinition("id > 6");
        assertThat(rules(first, second, TO)).isNotEqualTo(rules(second, first, TO));
        assertThat(rules(TO)).isNotEqualTo(rules("radius-accounting", TO));
    }

    @Test
    void shouldDifferWhereAdmissionRejectsOtherRecords() {
        ChannelDefinition feed = new ChannelDefinition("p");
        List<String> limits = Stream.of("", ", min: 1", ", min: 2", ", max: 2", ", min: 1, max: 2")
                .map(limit -> rules(schema("fixed", limit), feed, TO))
                .toList();
        assertThat(limits).doesNotHaveDuplicates();
        // Compact records with such values are admitted.
        assertThat(rules(schema("compact", ", min: 1"), feed, TO))
                .isEqualTo(rules(schema("compact", ", min: 2"), feed, TO));
    }

    @Test
    void shouldDifferWhereAFeedOfTextRejectsOtherLines() {
        FeedDefinition csv =
                new CsvFeedFactory().define(Path.of("a.csv"), new FeedCheck("csv", new NoSettings(), (_, _) -> {}));
        assertThat(rules(schema("compact", ", min: 1"), csv, TO))
                .isEqualTo(rules(schema("compact", ", min: 1"), csv, TO))
                .isNotEqualTo(rules(schema("compact", ", min: 2"), csv, TO));
    }

    private static Schema schema(String layout, String limit) {
        return SchemaReader.read(
                "s.yml", """
                schema: s
                layout: LAYOUT
                fields:
                  - { name: id, type: i64LIMIT }
                """.replace("LAYOUT", layout).replace("LIMIT", limit).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldNotMixUpTextsThatContainEachOther() {
        assertThat(rules(new FilterDefinition("id > 5\n 6:filter 1:x")))
                .isNotEqualTo(rules(new FilterDefinition("id > 5"), new FilterDefinition("x")));
        assertThat(rules(new SetDefinition(Map.of("a", "b, c=d"))))
                .isNotEqualTo(rules(new SetDefinition(Map.of("a", "b", "c", "d"))));
    }

    @Test
    void shouldNotDependOnMeasures() {
        StepDefinition measure = new MeasureStepDefinition(
                "turnover",
                List.of("currency1"),
                Map.of("n", "count()"),
                Duration.ofSeconds(10),
                null,
                null,
                null,
                null,
                null,
                100,
                null,
                0,
                Map.of());
        assertThat(rules(measure, TO)).isEqualTo(rules(TO));
    }
}
