package io.millrace.cli.service;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.codec.RecordCodec;
import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.plan.CheckedConfiguration;
import io.millrace.config.plan.ConfigurationMistakesException;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.trial.Outcome;
import io.millrace.pipeline.trial.PipelineTrial;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes tests of rules in YAML, whose records are those of a running pipeline. What each test expects is what the
 * rules of a configuration make of its record now.
 */
final class LiveTestWriter {

    private final PipelinePlan plan;
    private final PipelineTrial trial;
    private long written;

    private LiveTestWriter(PipelinePlan plan) {
        this.plan = plan;
        this.trial = new PipelineTrial(plan);
    }

    /**
     * Returns a writer of tests.
     *
     * @throws ServiceException if the configuration has mistakes, or no such pipeline
     */
    static LiveTestWriter of(Path config, String pipeline) {
        String refusal = ConfigurationFiles.refusal(List.of(config));
        if (refusal != null) {
            throw new ServiceException(CommandErrorCode.UNREADABLE_FILE, refusal);
        }
        try {
            return CheckedConfiguration.read(List.of(config), properties -> properties.withoutFeeds(properties.data()))
                    .setup()
                    .pipelines()
                    .stream()
                    .filter(plan -> plan.name().equals(pipeline))
                    .findFirst()
                    .map(LiveTestWriter::new)
                    .orElseThrow(() -> new ServiceException(
                            CommandErrorCode.INVALID_ARGUMENT,
                            "File '" + config + "' has no pipeline '" + pipeline + "'."));
        } catch (ConfigurationMistakesException e) {
            throw new ServiceException(CommandErrorCode.RULES_INVALID, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the lines that precede the tests. */
    String head() {
        return "millrace:\n  pipelines:\n    " + plan.name() + ":\n      tests:";
    }

    /** Returns the test of a record. */
    String test(JsonNode event) {
        String hex = event.path("bytes").asString("");
        List<Outcome> outcomes = trial.run(HexFormat.of().parseHex(hex));
        String expected = outcomes.stream().map(this::expected).collect(Collectors.joining(", "));
        return "        # " + event.path("record") + "\n"
                + "        - name: record " + ++written + " of "
                + Instant.ofEpochMilli(event.path("time").asLong()) + "\n"
                + "          hex: \"" + hex + "\"\n"
                + (outcomes.size() == 1
                        ? "          expect: " + expected
                        : "          expect-each: [ " + expected + " ]");
    }

    private String expected(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Dropped _ -> "{ dropped: true }";
            case Outcome.Rejected rejected -> "{ rejected: " + rejected.kind().tag() + " }";
            case Outcome.Sent sent -> {
                String fields = added(sent.values());
                yield "{ to: '" + sent.target() + "'" + (fields.isEmpty() ? "" : ", fields: { " + fields + " }") + " }";
            }
        };
    }

    /**
     * Returns the fields that steps have added, except for dates and times, which a test writes in another form, and
     * for texts that a test can't contain: those that are empty where a value is optional, and placeholders.
     */
    private String added(Map<String, @Nullable Object> values) {
        Schema record = plan.schema().base();
        return values.entrySet().stream()
                .filter(value -> record.field(value.getKey()) == null)
                .filter(value -> value.getValue() instanceof Number
                        || value.getValue() instanceof Boolean
                        || (value.getValue() instanceof String text && isRead(value.getKey(), text)))
                .map(value -> value.getKey() + ": " + text(value.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** Returns whether a test with this text expects the same text. */
    private boolean isRead(String name, String text) {
        RecordCodec codec = RecordCodec.of(plan.targetSchema().stored());
        byte[] row = codec.blank();
        codec.codec(name).setText(row, 0, text);
        return text.equals(codec.codec(name).value(row, 0)) && !text.contains("${");
    }

    private static String text(@Nullable Object value) {
        return value instanceof BigDecimal decimal
                ? decimal.toPlainString()
                : JsonMapper.shared().writeValueAsString(value);
    }
}
