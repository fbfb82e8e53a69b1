package io.millrace.config.binding;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.NO_EFFECT;

import io.millrace.extension.ApplicationSettings;
import io.millrace.extension.Extension;
import io.millrace.extension.Extensions;
import io.millrace.extension.PropertyCheck;
import io.millrace.feed.ChannelDefinition;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedEnd;
import io.millrace.feed.FeedFactory;
import io.millrace.feed.FinalFeed;
import io.millrace.output.OutputDefinition;
import io.millrace.output.OutputFactory;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.Problem;
import io.millrace.pipeline.rules.RulesText;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/**
 * Reads the feeds and steps of pipelines, and the outputs: binds and checks the properties of each kind. Thread-safe.
 */
public final class PipelineReader {

    /** The property of a feed that says that its source does not grow. */
    static final String FINAL = "final";

    private final Environment environment;
    private final ExtensionBinder binder;
    private final ExtensionKinds kinds;
    private final ApplicationSettings settings;

    /**
     * @param kinds kinds of feeds, steps and outputs that a configuration can use
     * @param settings settings of the application that feeds and outputs can use
     */
    public PipelineReader(Environment environment, ExtensionKinds kinds, ApplicationSettings settings) {
        this.environment = environment;
        this.binder = new ExtensionBinder(environment);
        this.kinds = kinds;
        this.settings = settings;
    }

    /** Returns a reader of another environment, with the same kinds of feeds and steps. */
    public PipelineReader in(Environment other) {
        return new PipelineReader(other, kinds, settings);
    }

    /** Returns a reader for a process without an application context: it knows the installed kinds. */
    public static PipelineReader of(Environment environment) {
        return new PipelineReader(environment, ExtensionKinds.installed(), new EnvironmentSettings(environment));
    }

    /**
     * Returns unknown kinds and unknown properties of all steps.
     *
     * @param ofFeeds whether to return those of feeds too
     */
    public Collection<Problem> structureProblems(boolean ofFeeds) {
        return StructureCheck.problems(environment, kinds, ofFeeds, true);
    }

    /** Returns the steps of a pipeline as the environment has them. */
    public RulesText rules(String pipeline) {
        return StepProperties.in(environment, pipeline).text();
    }

    /**
     * Reads the feed of a pipeline.
     *
     * @param feed properties by kind, or null for a pipeline without a feed
     * @param schema schema of the feed's records, or null if it is unknown, which has been reported
     * @param problems receives each error, except for those of the structure
     */
    public FeedDefinition feed(
            String pipeline, @Nullable Map<String, Object> feed, @Nullable Schema schema, Consumer<Problem> problems) {
        FeedDefinition definition = feed == null ? null : define(pipeline, feed, schema, problems);
        return definition == null ? new ChannelDefinition(PipelineDefinition.inputChannel(pipeline)) : definition;
    }

    private @Nullable FeedDefinition define(
            String pipeline, Map<String, Object> feed, @Nullable Schema schema, Consumer<Problem> problems) {
        List<FeedFactory<?>> named = known(kinds.feeds(), feed);
        String property = ExtensionBinder.PIPELINES + "." + pipeline;
        if (named.size() > 1) {
            problems.accept(new Problem(property + ".feed", tooMany(kinds.feeds())));
        } else if (feed.keySet().equals(Set.of(FINAL))) {
            problems.accept(new Problem(property + ".feed", missing(kinds.feeds())));
        }
        FeedDefinition definition = null;
        for (FeedFactory<?> kind : named) {
            FeedCheck check = new FeedCheck(
                    kind.name(), settings, (at, message) -> problems.accept(new Problem(property + "." + at, message)));
            definition = define(kind, binder.path(pipeline).append("feed"), check, problems);
            if (definition != null && named.size() == 1) {
                definition = ended(pipeline, definition, problems);
                if (schema != null) {
                    definition.check(schema, check);
                }
            }
        }
        return named.size() == 1 ? definition : null;
    }

    private FeedDefinition ended(String pipeline, FeedDefinition feed, Consumer<Problem> problems) {
        if (!binder.flag(binder.path(pipeline).append("feed").append(FINAL), problems)) {
            return feed;
        }
        if (feed.end() == FeedEnd.NEVER) {
            problems.accept(new Problem(
                    ExtensionBinder.PIPELINES + "." + pipeline + ".feed." + FINAL,
                    NO_EFFECT.message("'final' has no effect with a feed that does not end. Remove it.")));
        }
        return FinalFeed.of(feed);
    }

    private <P> @Nullable FeedDefinition define(
            FeedFactory<P> kind, ConfigurationPropertyName parent, FeedCheck check, Consumer<Problem> problems) {
        P properties = binder.bind(kind, parent, problems);
        return properties == null ? null : kind.define(properties, check);
    }

    /**
     * Reads the steps of a pipeline.
     *
     * @param configured properties of each step by kind, in order
     * @param problems receives each error, except for those of the structure
     * @return the steps; fewer if one has errors that leave nothing to plan
     */
    public List<StepDefinition> steps(
            String pipeline, List<Map<String, Object>> configured, Consumer<Problem> problems) {
        List<StepDefinition> definitions = new ArrayList<>();
        for (int i = 0; i < configured.size(); i++) {
            StepDefinition definition = step(pipeline, i, configured.get(i), problems);
            if (definition != null) {
                definitions.add(definition);
            }
        }
        return definitions;
    }

    private @Nullable StepDefinition step(
            String pipeline, int index, Map<String, Object> step, Consumer<Problem> problems) {
        List<StepFactory<?>> named = known(kinds.steps(), step);
        String property = ExtensionBinder.PIPELINES + "." + pipeline + ".steps[" + index + "]";
        if (named.size() == 1) {
            ConfigurationPropertyName parent =
                    binder.path(pipeline).append("steps").append("[" + index + "]");
            return define(named.getFirst(), property, parent, problems);
        }
        problems.accept(new Problem(property, named.isEmpty() ? missing(kinds.steps()) : tooMany(kinds.steps())));
        return null;
    }

    private <P> @Nullable StepDefinition define(
            StepFactory<P> kind, String property, ConfigurationPropertyName parent, Consumer<Problem> problems) {
        List<Problem> wrongValues = new ArrayList<>();
        P properties = binder.bind(kind, parent, wrongValues::add);
        wrongValues.forEach(problems);
        if (properties == null || !wrongValues.isEmpty()) {
            return null;
        }
        StepDefinition definition = kind.define(properties);
        definition.validate(new PropertyCheck(
                property + "." + kind.name(), (at, message) -> problems.accept(new Problem(at, message))));
        return definition;
    }

    /**
     * Reads the outputs.
     *
     * @param configured properties of each output by kind, by the names of outputs
     * @param problems receives each error, except for those of the structure
     * @return the outputs by name; without those that have errors that leave nothing to check
     */
    public Map<String, OutputDefinition> outputs(
            Map<String, Map<String, Object>> configured, Consumer<Problem> problems) {
        Map<String, OutputDefinition> outputs = new LinkedHashMap<>();
        configured.forEach((name, output) -> {
            List<OutputFactory<?>> named = known(kinds.outputs(), output);
            String property = ExtensionBinder.OUTPUTS + "." + name;
            if (named.size() == 1) {
                OutputFactory<?> kind = named.getFirst();
                PropertyCheck check = new PropertyCheck(
                        property + "." + kind.name(),
                        settings,
                        (at, message) -> problems.accept(new Problem(at, message)));
                OutputDefinition definition = define(kind, binder.path(ExtensionBinder.OUTPUTS, name), check, problems);
                outputs.forEach((other, same) -> {
                    if (same.equals(definition)) {
                        problems.accept(new Problem(
                                property,
                                CONFLICTING_PROPERTIES.message("The outputs '" + other + "' and '" + name
                                        + "' are the same place. Use one of them.")));
                    }
                });
                if (definition != null) {
                    outputs.put(name, definition);
                }
            } else {
                problems.accept(
                        new Problem(property, named.isEmpty() ? missing(kinds.outputs()) : tooMany(kinds.outputs())));
            }
        });
        return outputs;
    }

    /**
     * Checks whether an output can hold the records of a pipeline.
     *
     * @param output one of those that {@link #outputs} returned
     * @param configured its properties by kind
     * @param schema schema of the records, with all fields that steps add
     * @param problems receives each error
     */
    public void check(
            String name,
            OutputDefinition output,
            Map<String, Object> configured,
            Schema schema,
            Consumer<Problem> problems) {
        known(kinds.outputs(), configured)
                .forEach(kind -> output.check(
                        schema,
                        new PropertyCheck(
                                ExtensionBinder.OUTPUTS + "." + name + "." + kind.name(),
                                (at, message) -> problems.accept(new Problem(at, message)))));
    }

    private <P> @Nullable OutputDefinition define(
            OutputFactory<P> kind, ConfigurationPropertyName parent, PropertyCheck check, Consumer<Problem> problems) {
        P properties = binder.bind(kind, parent, problems);
        return properties == null ? null : kind.define(properties, check);
    }

    private static <E extends Extension<?>> List<E> known(Extensions<E> extensions, Map<String, Object> named) {
        return named.keySet().stream()
                .<@Nullable E>map(extensions::named)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private static String missing(Extensions<?> extensions) {
        return MISSING_VALUE.message("Missing property. " + exactlyOne(extensions));
    }

    private static String tooMany(Extensions<?> extensions) {
        return CONFLICTING_PROPERTIES.message("Too many properties. " + exactlyOne(extensions));
    }

    private static String exactlyOne(Extensions<?> extensions) {
        return "Use exactly one of: " + String.join(", ", extensions.names()) + ".";
    }
}
