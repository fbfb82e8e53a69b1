package io.millrace.config.plan;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.OUT_OF_RANGE;

import io.millrace.background.Percentage;
import io.millrace.config.properties.PipelineProperties;
import io.millrace.config.properties.PipelineProperties.LateThresholdProperties;
import io.millrace.config.properties.PipelineProperties.RejectThresholdProperties;
import io.millrace.extension.PropertyCheck;
import io.millrace.feed.FeedDefinition;
import io.millrace.pipeline.definition.LateThresholds;
import io.millrace.pipeline.definition.Parallelism;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.Problem;
import io.millrace.pipeline.definition.RejectThresholds;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.step.TargetNames;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the properties of one pipeline except for its feed and its steps. */
public final class DefinitionReader {

    /** Names are parts of stored keys, in which other characters separate them from instances and measures. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    private static final int MAX_PARTITIONS = 1024;

    private final String name;
    private final PipelineProperties properties;
    private final Consumer<Problem> problems;

    public DefinitionReader(String name, PipelineProperties properties, Consumer<Problem> problems) {
        this.name = name;
        this.properties = properties;
        this.problems = problems;
    }

    /**
     * Returns the definition, with substitutes for invalid parts, so that the other parts can still be checked.
     *
     * @param feed the pipeline's feed, which has been read
     * @param steps the pipeline's steps, which have been read
     */
    public PipelineDefinition read(FeedDefinition feed, List<StepDefinition> steps) {
        if (!NAME.matcher(name).matches()) {
            problems.accept(new Problem(
                    "millrace.pipelines." + name,
                    INVALID_NAME.message(
                            "Invalid pipeline name '" + name + "'. Use letters, digits, and . _ - only.")));
        }
        String schema = required(properties.schema(), "schema", "the name of the records' schema");
        return new PipelineDefinition(
                name,
                feed,
                schema,
                steps,
                properties.keepRaw(),
                rejects(),
                rejectThresholds(),
                lateThresholds(),
                properties.onRulesChange() == PipelineProperties.OnRulesChange.CONTINUE,
                properties.onKnownFeed() == PipelineProperties.OnKnownFeed.READ,
                parallelism(feed));
    }

    private List<Target> rejects() {
        TargetNames names = TargetNames.of(properties.rejects());
        if (properties.rejects() != null) {
            names.validate("", new PropertyCheck("rejects", this::problem));
        }
        List<Target> targets = names.targets();
        for (Target channel :
                targets.stream().filter(Target.ChannelTarget.class::isInstance).toList()) {
            problem(
                    "rejects",
                    INVALID_VALUE.message("Invalid target '" + channel.text()
                            + "'. To receive rejected records, subscribe to the channel '"
                            + PipelineDefinition.rejectedChannel(name) + "'."));
        }
        if (targets.stream().filter(Target.RegionTarget.class::isInstance).count() > 1) {
            problem(
                    "rejects",
                    CONFLICTING_PROPERTIES.message("Too many regions: '" + names.text()
                            + "'. Use one region for rejected records. Further targets have to be outputs."));
        }
        return targets;
    }

    private Parallelism parallelism(FeedDefinition feed) {
        int partitions =
                properties.partitions() == null ? Math.min(feed.partitions(), MAX_PARTITIONS) : properties.partitions();
        if (partitions < 1 || partitions > MAX_PARTITIONS) {
            problem(
                    "partitions",
                    OUT_OF_RANGE.message(
                            "Invalid number of partitions '" + partitions + "'. Use 1 to " + MAX_PARTITIONS + "."));
            partitions = 1;
        }
        int processors = Runtime.getRuntime().availableProcessors();
        int lanes = properties.lanes() == null ? Math.min(processors, partitions) : properties.lanes();
        if (lanes < 1 || lanes > partitions) {
            problem(
                    "lanes",
                    OUT_OF_RANGE.message("Invalid number of lanes '" + lanes + "'. Use 1 to the number of partitions, "
                            + partitions + "."));
            lanes = 1;
        }
        return new Parallelism(partitions, lanes);
    }

    private RejectThresholds rejectThresholds() {
        RejectThresholdProperties thresholds = properties.rejectThresholds();
        return new RejectThresholds(
                share("reject-thresholds.warn-at", thresholds.warnAt()),
                share("reject-thresholds.fail-at", thresholds.failAt()));
    }

    private LateThresholds lateThresholds() {
        LateThresholdProperties thresholds = properties.lateThresholds();
        return new LateThresholds(
                share("late-thresholds.warn-at", thresholds.warnAt()),
                share("late-thresholds.fail-at", thresholds.failAt()));
    }

    private double share(String at, String percentage) {
        if (percentage.equals("none")) {
            return RejectThresholds.NEVER;
        }
        OptionalDouble share = Percentage.parse(percentage);
        if (share.isPresent()) {
            return share.getAsDouble();
        }
        problem(
                at,
                INVALID_NUMBER.message("Invalid percentage '" + percentage
                        + "'. Use a number from 0 to 100 and a percent sign, such as 1%, or none."));
        return RejectThresholds.NEVER;
    }

    private String required(@Nullable String value, String at, String what) {
        if (value == null || value.isBlank()) {
            problem(at, MISSING_VALUE.message("Missing value: " + what + "."));
            return "";
        }
        return value;
    }

    private void problem(String at, String message) {
        problems.accept(new Problem("millrace.pipelines." + name + "." + at, message));
    }
}
