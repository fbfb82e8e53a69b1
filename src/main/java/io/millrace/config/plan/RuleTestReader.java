package io.millrace.config.plan;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.UNKNOWN_FIELD;
import static io.millrace.schema.ProblemCode.UNKNOWN_NAME;
import static io.millrace.schema.ProblemCode.UNKNOWN_REGION;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.PipelineProperties;
import io.millrace.config.properties.RuleTestProperties;
import io.millrace.config.properties.RuleTestProperties.OutcomeProperties;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.Problem;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.trial.Expectation;
import io.millrace.pipeline.trial.RuleTestCase;
import io.millrace.schema.Field;
import io.millrace.schema.NearestName;
import io.millrace.schema.ProblemCode;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the tests of a pipeline's rules: encodes their records, and checks what they expect. Used once. */
public final class RuleTestReader {

    private final PipelinePlan plan;
    private final List<Problem> problems = new ArrayList<>();

    private RuleTestReader(PipelinePlan plan) {
        this.plan = plan;
    }

    /**
     * Returns the tests of all pipelines, by the name of the pipeline.
     *
     * @param setup the same configuration, checked and compiled
     * @throws ConfigurationException with all mistakes, if there are any
     */
    public static Map<String, List<RuleTestCase>> read(MillraceProperties properties, Setup setup) {
        Map<String, List<RuleTestCase>> tests = new LinkedHashMap<>();
        List<Problem> problems = new ArrayList<>();
        for (PipelinePlan plan : setup.pipelines()) {
            RuleTestReader reader = new RuleTestReader(plan);
            PipelineProperties pipeline =
                    Objects.requireNonNull(properties.pipelines().get(plan.name()));
            tests.put(plan.name(), reader.read(pipeline.tests()));
            problems.addAll(reader.problems);
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return tests;
    }

    /**
     * Returns the tests of a pipeline.
     *
     * @throws ConfigurationException with all mistakes, if there are any
     */
    static List<RuleTestCase> read(List<RuleTestProperties> tests, PipelinePlan plan) {
        RuleTestReader reader = new RuleTestReader(plan);
        List<RuleTestCase> read = reader.read(tests);
        if (!reader.problems.isEmpty()) {
            throw new ConfigurationException(reader.problems);
        }
        return read;
    }

    private List<RuleTestCase> read(List<RuleTestProperties> tests) {
        List<RuleTestCase> read = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < tests.size(); i++) {
            RuleTestProperties test = tests.get(i);
            String at = "millrace.pipelines." + plan.name() + ".tests[" + i + "]";
            byte[] record = record(test, at);
            List<Expectation> expected = expected(test, at);
            String name = test.name();
            String shown = name == null || name.isBlank() ? "test " + (i + 1) : name;
            if (!names.add(shown)) {
                problem(
                        at + (shown.equals(name) ? ".name" : ""),
                        DUPLICATE_NAME,
                        "Duplicate name '" + shown + "' of a test. Use a unique name for each test of a pipeline.");
            }
            read.add(new RuleTestCase(shown, at, record, expected));
        }
        return read;
    }

    private byte[] record(RuleTestProperties test, String at) {
        RuleTestRecord reader = new RuleTestRecord(plan.schema());
        List<RuleTestRecord.Form> forms = reader.forms(test);
        if (forms.size() != 1) {
            exactlyOne(at, forms.size(), "record, json, csv, hex");
            return new byte[0];
        }
        RuleTestRecord.Form form = forms.getFirst();
        RuleTestRecord.Encoded encoded = reader.encode(form);
        if (!encoded.reasons().isEmpty()) {
            problem(at + "." + form.property(), INVALID_VALUE, String.join("\n", encoded.reasons()));
        }
        return encoded.bytes();
    }

    private List<Expectation> expected(RuleTestProperties test, String at) {
        OutcomeProperties one = test.expect();
        if ((one == null) == test.expectEach().isEmpty()) {
            exactlyOne(at, one == null ? 0 : 2, "expect, expect-each");
            return List.of();
        }
        if (one != null) {
            return expectation(one, at + ".expect").stream().toList();
        }
        List<Expectation> expected = new ArrayList<>();
        for (int i = 0; i < test.expectEach().size(); i++) {
            expected.addAll(expectation(test.expectEach().get(i), at + ".expect-each[" + i + "]"));
        }
        return expected;
    }

    /** Returns the expectation; none if it has a mistake. */
    private List<Expectation> expectation(OutcomeProperties outcome, String at) {
        List<String> to = outcome.to();
        String rejected = outcome.rejected();
        long given = Stream.of(to.isEmpty() ? null : to, outcome.dropped(), rejected)
                .filter(Objects::nonNull)
                .count();
        if (given != 1) {
            exactlyOne(at, (int) given, "to, dropped, rejected");
            return List.of();
        }
        if (to.isEmpty() && !outcome.fields().isEmpty()) {
            problem(at + ".fields", ProblemCode.NO_EFFECT, "The fields have no effect without 'to'.");
        }
        if (!to.isEmpty()) {
            return toEach(to, outcome.fields(), at);
        }
        if (rejected != null) {
            return rejected(rejected, at);
        }
        if (Boolean.FALSE.equals(outcome.dropped())) {
            problem(
                    at + ".dropped",
                    INVALID_VALUE,
                    "Invalid value 'false'. Use true, or 'to' with the name of a target.");
        }
        return List.of(new Expectation.ToBeDropped());
    }

    /** Returns what is expected of each target, in the order in which a record reaches them. */
    private List<Expectation> toEach(List<String> to, Map<String, String> fields, String at) {
        List<String> targets =
                plan.steps().getLast().targets().stream().map(Target::text).toList();
        return to.stream()
                .sorted(Comparator.comparingInt(
                        text -> targets.indexOf(Target.parse(text).text())))
                .map(text -> to(text, targets, fields, at))
                .toList();
    }

    private Expectation to(String to, List<String> targets, Map<String, String> fields, String at) {
        String target = Target.parse(to).text();
        if (!targets.contains(target)) {
            problem(
                    at + ".to",
                    UNKNOWN_REGION,
                    "The pipeline has no target '" + to + "'" + NearestName.hint(to, targets) + " Use one of: "
                            + String.join(", ", targets) + ".");
        }
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        fields.forEach((field, text) -> values.put(field, value(field, text, at + ".fields." + field)));
        return new Expectation.To(target, values);
    }

    /** Returns the value of a text in a field of the records that reach the targets, as a query returns it. */
    private @Nullable Object value(String name, String text, String at) {
        Schema schema = plan.targetSchema().stored();
        Field field = schema.field(name);
        if (field == null) {
            List<String> names = schema.fields().stream().map(Field::name).toList();
            problem(
                    at,
                    UNKNOWN_FIELD,
                    "Unknown field '" + name + "' in schema '" + schema.name() + "'" + NearestName.hint(name, names));
            return null;
        }
        RecordCodec records = RecordCodec.of(schema);
        FieldCodec codec = records.codec(name);
        byte[] row = records.blank();
        try {
            codec.setText(row, 0, text);
            return codec.value(row, 0);
        } catch (FieldValueException e) {
            problem(at, INVALID_VALUE, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private List<Expectation> rejected(String reason, String at) {
        List<String> reasons = Arrays.stream(Kind.values()).map(Kind::tag).toList();
        for (Kind kind : Kind.values()) {
            if (kind.tag().equals(reason)) {
                return List.of(new Expectation.ToBeRejected(kind));
            }
        }
        problem(
                at + ".rejected",
                UNKNOWN_NAME,
                "Unknown reason '" + reason + "'" + NearestName.hint(reason, reasons) + " Use one of: "
                        + String.join(", ", reasons) + ".");
        return List.of();
    }

    private void exactlyOne(String at, int given, String of) {
        problem(
                at,
                given == 0 ? MISSING_VALUE : CONFLICTING_PROPERTIES,
                (given == 0 ? "Missing property. " : "Too many properties. ") + "Use exactly one of: " + of + ".");
    }

    private void problem(String at, ProblemCode code, String message) {
        problems.add(new Problem(at, code.message(message)));
    }
}
