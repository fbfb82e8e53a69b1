package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestBudget;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.json.JsonRecordException;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.feed.ChannelDefinition;
import io.millrace.pipeline.definition.LateThresholds;
import io.millrace.pipeline.definition.Parallelism;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.PipelinePlanner;
import io.millrace.pipeline.definition.RejectThresholds;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.filter.FilterDefinition;
import io.millrace.pipeline.step.route.ToDefinition;
import io.millrace.pipeline.step.validate.ValidateDefinition;
import io.millrace.pipeline.step.validate.ValidateDefinition.OnInvalid;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The step {@code validate}: values are allowed exactly if they could be written. */
class ValidateTest {

    private static final Schema STRICT = schema("""
            schema: order
            layout: compact
            fields:
              - { name: id, type: string, length: 8, pattern: "[A-Z][0-9]+" }
              - { name: price, type: decimal, scale: 2, min: 0.01, max: 100 }
              - { name: ratio, type: f64, min: 0, max: 1, optional: true }
              - name: party
                type: group
                optional: true
                fields:
                  - { name: name, type: string, length: 8, required: true }
                  - { name: size, type: u16, min: 1 }
              - name: legs
                type: group
                repeat: 5
                fields:
                  - { name: amount, type: i64, min: 0 }
                  - { name: kind, type: enum, values: [A1, B2], pattern: "A.*", optional: true }
                  - { name: days, type: u8, max: 31, repeat: 5 }
            """);

    /** The same bytes, without constraints. */
    private static final Schema LOOSE = schema("""
            schema: order
            layout: compact
            fields:
              - { name: id, type: string, length: 8 }
              - { name: price, type: decimal, scale: 2 }
              - { name: ratio, type: f64, optional: true }
              - name: party
                type: group
                optional: true
                fields:
                  - { name: name, type: string, length: 8 }
                  - { name: size, type: u16 }
              - name: legs
                type: group
                repeat: 5
                fields:
                  - { name: amount, type: i64 }
                  - { name: kind, type: enum, values: [A1, B2], optional: true }
                  - { name: days, type: u8, repeat: 5 }
            """);

    private static final ValidateDefinition REJECT = new ValidateDefinition(OnInvalid.REJECT);
    private static final ValidateDefinition MARK = new ValidateDefinition(OnInvalid.MARK);

    private final List<String> problems = new ArrayList<>();
    private final List<String> rejected = new ArrayList<>();

    private static Schema schema(String yaml) {
        return SchemaReader.read("order.yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldNameAllViolationsWithTheirPaths() {
        run(REJECT, """
                {"id":"a1","price":-1.5,"ratio":2.0,"party":{"name":"","size":0},
                 "legs":[{"amount":1,"days":[1,2]},{"amount":-3,"kind":"B2","days":[31,32]}]}""");
        assertThat(rejected)
                .containsExactly("INVALID_VALUE Invalid value 'a1' of 'id'. Use a text that matches '[A-Z][0-9]+'."
                        + " Invalid value '-1.50' of 'price'. Use 0.01 or more."
                        + " Invalid value '2.0' of 'ratio'. Use 1 or less."
                        + " Invalid value '' of 'party.name'. Use at least one character."
                        + " Invalid value '0' of 'party.size'. Use 1 or more."
                        + " Invalid value '-3' of 'legs[1].amount'. Use 0 or more."
                        + " Invalid value 'B2' of 'legs[1].kind'. Use a text that matches 'A.*'."
                        + " Invalid value '32' of 'legs[1].days[1]'. Use 31 or less.");
    }

    @Test
    void shouldCountFurtherViolations() {
        String leg = "{\"amount\":-1,\"days\":[99,99,99]}";
        run(REJECT, "{\"id\":\"A1\",\"price\":1,\"legs\":[" + String.join(",", leg, leg, leg, leg, leg) + "]}");
        assertThat(rejected).singleElement().asString().endsWith(" And 10 more.");
    }

    @Test
    void shouldNotCheckWhatIsMissing() {
        BatchStep step = run(REJECT, "{\"id\":\"A1\",\"price\":1}");
        assertThat(rejected).isEmpty();
        assertThat(step.out().get()).isEqualTo(1);
    }

    @Test
    void shouldAcceptExactlyWhatCouldBeWritten() {
        Random random = new Random(17);
        int refused = 0;
        int records = TestBudget.of(3000);
        for (int i = 0; i < records; i++) {
            String json = random(random);
            boolean writable = writable(json);
            refused += writable ? 0 : 1;
            rejected.clear();
            run(REJECT, json);
            assertThat(rejected.isEmpty()).as(json).isEqualTo(writable);
            assertThat(marked(json)).as(json).isEqualTo(writable);
        }
        assertThat(refused).isBetween(records / 6, records * 5 / 6);
    }

    private static boolean writable(String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        try {
            new JsonToCompact(STRICT).append(text, 0, text.length);
            return true;
        } catch (JsonRecordException _) {
            return false;
        }
    }

    private static String random(Random random) {
        StringBuilder json = new StringBuilder("{\"id\":\"" + (random.nextInt(8) == 0 ? "1" : "A1") + "\",\"price\":"
                + (random.nextInt(10_300) - 100) / 100.0);
        if (random.nextBoolean()) {
            json.append(",\"ratio\":").append(random.nextDouble() * 1.1);
        }
        if (random.nextBoolean()) {
            json.append(",\"party\":{\"name\":\"")
                    .append(random.nextInt(8) == 0 ? "" : "n")
                    .append("\",\"size\":")
                    .append(random.nextInt(12))
                    .append('}');
        }
        json.append(",\"legs\":[");
        int legs = random.nextInt(4);
        for (int i = 0; i < legs; i++) {
            json.append(i == 0 ? "" : ",").append("{\"amount\":").append(random.nextInt(20) - 1);
            if (random.nextInt(4) == 0) {
                json.append(",\"kind\":\"")
                        .append(random.nextInt(4) == 0 ? "B2" : "A1")
                        .append('"');
            }
            json.append(",\"days\":[")
                    .append(random.nextInt(33))
                    .append(',')
                    .append(random.nextInt(33))
                    .append("]}");
        }
        return json.append("]}").toString();
    }

    private boolean marked(String json) {
        PipelinePlan plan = plan(STRICT, MARK, new FilterDefinition("valid"), ToDefinition.of("r"));
        RecordBatch batch = batch(plan, json);
        plan.steps().getFirst().create(context(plan)).accept(batch);
        assertThat(batch.selected()).isEqualTo(1);
        plan.steps().get(1).create(context(plan)).accept(batch);
        return batch.selected() == 1;
    }

    @Test
    void shouldCheckRecordsOfAFixedLength() {
        Schema schema = schema("""
                schema: order
                layout: fixed
                fields:
                  - { name: kind, type: u8, min: 1 }
                  - { name: code, type: string, length: 2, pattern: "[A-Z]{2}" }
                  - { name: text, type: string, length: 2, min: 1 }
                """);
        PipelinePlan plan = plan(schema, REJECT, ToDefinition.of("r"));
        byte[] bytes = "\1ABxx\1abxx\1AB  \0ab  ".getBytes(StandardCharsets.ISO_8859_1);
        RecordBatch batch = new RecordBatch(plan.schema()).fill(bytes, 0, 4, 0, bytes.length);
        plan.steps().getFirst().create(context(plan)).accept(batch);
        assertThat(batch.selected()).isEqualTo(1);
        assertThat(batch.selection()[0]).isZero();
        assertThat(rejected)
                .containsExactly(
                        "INVALID_VALUE Invalid value 'ab' of 'code'. Use a text that matches '[A-Z]{2}'.",
                        "INVALID_VALUE Invalid value '' of 'text'. Use 1 or more characters, not 0.",
                        "INVALID_VALUE Invalid value '0' of 'kind'. Use 1 or more."
                                + " Invalid value 'ab' of 'code'. Use a text that matches '[A-Z]{2}'."
                                + " Invalid value '' of 'text'. Use 1 or more characters, not 0.");
    }

    @Test
    void shouldRefuseSchemasWithoutConstraints() {
        plan(LOOSE, REJECT, ToDefinition.of("r"));
        assertThat(problems)
                .containsExactly(
                        "millrace.pipelines.p.steps[0].validate 'validate' has no effect: schema 'order' has no"
                                + " constraints. Add 'min', 'max', 'pattern' or 'required' to a field, or 'constraints'"
                                + " to the schema, or remove the step. [no-effect]");
    }

    @Test
    void shouldRejectOrMarkRecordsThatViolateConditions() {
        Schema schema = schema("""
                schema: order
                layout: fixed
                fields:
                  - { name: low, type: u8 }
                  - { name: high, type: u8 }
                  - { name: text, type: string, length: 1, required: true }
                constraints:
                  - { name: range, condition: low <= high, message: low must be at most high }
                """);
        byte[] bytes = "\1\2a\2\1a\3\3 \4\1 \5\5b".getBytes(StandardCharsets.ISO_8859_1);
        PipelinePlan plan = plan(schema, REJECT, ToDefinition.of("r"));
        RecordBatch batch = new RecordBatch(plan.schema()).fill(bytes, 0, 5, 0, bytes.length);
        plan.steps().getFirst().create(context(plan)).accept(batch);
        assertThat(batch.selection()).startsWith(0, 4);
        assertThat(batch.selected()).isEqualTo(2);
        assertThat(rejected)
                .containsExactly(
                        "INVALID_VALUE Constraint 'range' is violated: low must be at most high.",
                        "INVALID_VALUE Invalid value '' of 'text'. Use at least one character.",
                        "INVALID_VALUE Invalid value '' of 'text'. Use at least one character."
                                + " Constraint 'range' is violated: low must be at most high.");

        PipelinePlan marking = plan(schema, MARK, new FilterDefinition("valid"), ToDefinition.of("r"));
        RecordBatch marked = new RecordBatch(marking.schema()).fill(bytes, 0, 5, 0, bytes.length);
        marking.steps().getFirst().create(context(marking)).accept(marked);
        assertThat(marked.selected()).isEqualTo(5);
        marking.steps().get(1).create(context(marking)).accept(marked);
        assertThat(marked.selection()).startsWith(0, 4);
        assertThat(marked.selected()).isEqualTo(2);
    }

    @Test
    void shouldRefuseASecondMark() {
        plan(STRICT, MARK, MARK, ToDefinition.of("r"));
        assertThat(problems).singleElement().asString().contains("Duplicate field 'valid'");
    }

    @Test
    void shouldChangeTheRulesWithTheConstraints() {
        Schema other = schema("""
                schema: order
                layout: compact
                fields:
                  - { name: id, type: string, length: 8, pattern: "[A-Z][0-9]*" }
                """);
        Schema condition = schema("""
                schema: order
                layout: compact
                fields:
                  - { name: id, type: string, length: 8, pattern: "[A-Z][0-9]+" }
                constraints:
                  - { name: a, condition: id != 'A1' }
                """);
        Schema one = schema("""
                schema: order
                layout: compact
                fields:
                  - { name: id, type: string, length: 8, pattern: "[A-Z][0-9]+" }
                """);
        assertThat(one.fingerprint()).isEqualTo(other.fingerprint());
        ToDefinition to = ToDefinition.of("r");
        assertThat(plan(one, REJECT, to).rules())
                .isEqualTo(plan(one, REJECT, to).rules());
        assertThat(plan(one, REJECT, to).rules())
                .isNotEqualTo(plan(other, REJECT, to).rules())
                .isNotEqualTo(plan(condition, REJECT, to).rules())
                .isNotEqualTo(plan(one, MARK, to).rules())
                .isNotEqualTo(plan(one, to).rules());
        assertThat(plan(one, to).rules())
                .isEqualTo(plan(other, to).rules())
                .isEqualTo(plan(condition, to).rules());
    }

    private BatchStep run(ValidateDefinition validate, String json) {
        PipelinePlan plan = plan(STRICT, validate, ToDefinition.of("r"));
        BatchStep step = plan.steps().getFirst().create(context(plan));
        step.accept(batch(plan, json));
        return step;
    }

    private RunContext context(PipelinePlan plan) {
        return StepContexts.of(
                plan, _ -> _ -> {}, (_, _, reason) -> rejected.add(reason.kind() + " " + reason.detail()));
    }

    /** Returns the plan as the service makes it: rows contain only what the first plan reads. */
    private PipelinePlan plan(Schema schema, StepDefinition... steps) {
        PipelinePlan whole = planned(schema, steps);
        return problems.isEmpty() ? planned(schema.project(new HashSet<>(whole.reads())), steps) : whole;
    }

    private PipelinePlan planned(Schema schema, StepDefinition... steps) {
        PipelineDefinition definition = new PipelineDefinition(
                "p",
                new ChannelDefinition("p"),
                "order",
                List.of(steps),
                null,
                List.of(),
                RejectThresholds.DEFAULT,
                LateThresholds.DEFAULT,
                false,
                false,
                Parallelism.NONE);
        return new PipelinePlanner(
                        definition,
                        schema,
                        Map.of(),
                        Set.of("r"),
                        FunctionRegistry.empty(),
                        problem -> problems.add(problem.property() + " " + problem.message()))
                .plan();
    }

    private static RecordBatch batch(PipelinePlan plan, String json) {
        JsonToCompact writer = new JsonToCompact(LOOSE);
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        writer.append(text, 0, text.length);
        byte[] bytes = writer.encoder().toBytes();
        RecordBatch batch = new RecordBatch(plan.schema());
        LayoutCodecs.of(plan.schema()).show(batch, bytes, 0, bytes.length);
        LayoutCodecs.of(plan.schema()).admission().admit(batch, (_, _, reason) -> {
            throw new AssertionError(reason);
        });
        return batch;
    }
}
