package io.millrace.config;

import io.millrace.codec.FileErrors;
import io.millrace.config.PipelineProperties.FeedProperties;
import io.millrace.config.PipelineProperties.GeneratorProperties;
import io.millrace.config.PipelineProperties.PcapProperties;
import io.millrace.config.PipelineProperties.RejectThresholdProperties;
import io.millrace.feed.pcap.PortFilter;
import io.millrace.feed.radius.Secret;
import io.millrace.pipeline.definition.FeedDefinition;
import io.millrace.pipeline.definition.FeedDefinition.ChannelDefinition;
import io.millrace.pipeline.definition.FeedDefinition.FileDefinition;
import io.millrace.pipeline.definition.FeedDefinition.GeneratorDefinition;
import io.millrace.pipeline.definition.FeedDefinition.PcapDefinition;
import io.millrace.pipeline.definition.FeedDefinition.RadiusDefinition;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.Problem;
import io.millrace.pipeline.definition.RejectThresholds;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.UnreadableDefinition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the properties of one pipeline, and checks that exactly one of several alternatives is set. */
final class DefinitionReader {

    private static final int LARGEST_PORT = 65_535;

    /** Names are parts of stored keys, in which other characters separate them from instances and measures. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    private final String name;
    private final PipelineProperties properties;
    private final Consumer<Problem> problems;

    DefinitionReader(String name, PipelineProperties properties, Consumer<Problem> problems) {
        this.name = name;
        this.properties = properties;
        this.problems = problems;
    }

    /** Returns the definition, with substitutes for invalid parts, so that the other parts can still be checked. */
    PipelineDefinition read() {
        List<StepDefinition> steps = new ArrayList<>();
        for (int i = 0; i < properties.steps().size(); i++) {
            steps.add(step(properties.steps().get(i), "steps[" + i + "]"));
        }
        if (!NAME.matcher(name).matches()) {
            problems.accept(new Problem(
                    "millrace.pipelines." + name,
                    "Invalid pipeline name '" + name + "'. Use letters, digits, and . _ - only."));
        }
        String schema = required(properties.schema(), "schema", "the name of the records' schema");
        return new PipelineDefinition(
                name,
                feed(properties.feed()),
                schema,
                steps,
                properties.rejects(),
                rejectThresholds(),
                properties.onRulesChange() == PipelineProperties.OnRulesChange.CONTINUE,
                properties.onKnownFeed() == PipelineProperties.OnKnownFeed.READ);
    }

    private RejectThresholds rejectThresholds() {
        RejectThresholdProperties thresholds = properties.rejectThresholds();
        return new RejectThresholds(
                share("reject-thresholds.warn-at", thresholds.warnAt()),
                share("reject-thresholds.fail-at", thresholds.failAt()));
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
                "Invalid percentage '" + percentage
                        + "'. Use a number from 0 to 100 and a percent sign, such as 1%, or none.");
        return RejectThresholds.NEVER;
    }

    private FeedDefinition feed(@Nullable FeedProperties feed) {
        if (feed == null) {
            return new ChannelDefinition();
        }
        onlyOne("feed", feed.file(), feed.generator(), feed.radius(), feed.pcap(), feed.tcp());
        GeneratorProperties generator = feed.generator();
        if (generator != null) {
            notNegative("feed.generator.rate", generator.rate());
            notNegative("feed.generator.count", generator.count());
            return new GeneratorDefinition(generator.rate(), generator.count(), generator.seed());
        }
        RadiusProperties radius = feed.radius();
        if (radius != null) {
            return new RadiusDefinition(new RadiusReader(radius, this::problem).read());
        }
        PcapProperties pcap = feed.pcap();
        if (pcap != null) {
            return pcap(pcap);
        }
        TcpProperties tcp = feed.tcp();
        if (tcp != null) {
            return new TcpReader(tcp, (property, message) -> problem("feed.tcp." + property, message)).read();
        }
        Path file = feed.file();
        if (file == null) {
            return new ChannelDefinition();
        }
        readable("feed.file", file);
        return new FileDefinition(file);
    }

    private FeedDefinition pcap(PcapProperties pcap) {
        if (pcap.port() < 1 || pcap.port() > LARGEST_PORT) {
            problem("feed.pcap.port", "Invalid port '" + pcap.port() + "'. Use 1 to " + LARGEST_PORT + ".");
        }
        Double speed = pcap.speed();
        if (speed != null && !pcap.pace()) {
            problem(
                    "feed.pcap.speed",
                    "'speed' has no effect without 'pace: true'. Add 'pace: true', or remove 'speed'.");
        }
        if (speed != null && !(speed > 0 && Double.isFinite(speed))) {
            problem("feed.pcap.speed", "Invalid speed '" + speed + "'. Use a number above 0.");
        }
        if (pcap.secret() != null && pcap.secret().isEmpty()) {
            problem("feed.pcap.secret", "Empty secret. Remove 'secret' to accept requests without a check.");
        }
        Path path = pcap.path();
        if (path == null) {
            problem("feed.pcap.path", "Missing value: the path of the capture file.");
            return new ChannelDefinition();
        }
        readable("feed.pcap.path", path);
        return new PcapDefinition(
                path,
                new PortFilter(pcap.port(), pcap.side()),
                pcap.secret() == null ? null : Secret.of(pcap.secret()),
                !pcap.pace() ? 0 : speed == null ? 1 : speed);
    }

    private void readable(String at, Path file) {
        String refusal = FileErrors.refusal(file);
        if (refusal != null) {
            problem(at, refusal);
        }
    }

    private StepDefinition step(StepProperties step, String at) {
        List<StepDefinition> definitions = step.definitions();
        if (definitions.size() != 1) {
            problem(
                    at,
                    (definitions.isEmpty() ? "Missing property. " : "Too many properties. ") + "Use exactly one of: "
                            + String.join(", ", StepProperties.kinds()) + ".");
            return new UnreadableDefinition();
        }
        StepDefinition definition = definitions.getFirst();
        definition.validate((property, message) -> problem(at + "." + property, message));
        return definition;
    }

    private boolean onlyOne(String at, @Nullable Object... alternatives) {
        long present = Stream.of(alternatives).filter(value -> value != null).count();
        if (present != 1) {
            problem(
                    at,
                    (present == 0 ? "Missing property. " : "Too many properties. ")
                            + "Use exactly one of: file, generator, radius, pcap, tcp.");
        }
        return present == 1;
    }

    private void notNegative(String at, long value) {
        if (value < 0) {
            problem(at, "Invalid number '" + value + "'. Use 0 or more.");
        }
    }

    private String required(@Nullable String value, String at, String what) {
        if (value == null || value.isBlank()) {
            problem(at, "Missing value: " + what + ".");
            return "";
        }
        return value;
    }

    private void problem(String at, String message) {
        problems.accept(new Problem("millrace.pipelines." + name + "." + at, message));
    }
}
