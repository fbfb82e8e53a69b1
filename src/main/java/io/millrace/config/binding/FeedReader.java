package io.millrace.config.binding;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;

import io.millrace.feed.ChannelDefinition;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactories;
import io.millrace.feed.FeedFactory;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.Problem;
import io.millrace.schema.Schema;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/** Reads the feeds of pipelines: binds and checks the properties of each kind. Thread-safe. */
public final class FeedReader {

    private static final ConfigurationPropertyName PIPELINES =
            ConfigurationPropertyName.of(RootKeys.MILLRACE + ".pipelines");

    private final Environment environment;
    private final FeedFactories factories;
    private final Set<String> sslBundles;

    /**
     * @param factories kinds that a configuration can use
     * @param sslBundles names of the SSL bundles that are defined
     */
    public FeedReader(Environment environment, FeedFactories factories, Set<String> sslBundles) {
        this.environment = environment;
        this.factories = factories;
        this.sslBundles = Set.copyOf(sslBundles);
    }

    /** Returns a reader for a process without an application context: it knows the installed kinds of feeds. */
    public static FeedReader of(Environment environment) {
        return new FeedReader(environment, FeedFactories.installed(), PropertyBinding.sslBundles(environment));
    }

    /** Returns unknown kinds and unknown properties of all feeds. */
    public Collection<Problem> structureProblems() {
        return StructureCheck.problems(environment, factories, true);
    }

    /**
     * Reads the feed of a pipeline.
     *
     * @param feed properties by kind, or null for a pipeline without a feed
     * @param schema schema of the feed's records, or null if it is unknown, which has been reported
     * @param problems receives each error, except for those of the structure
     */
    public FeedDefinition read(
            String pipeline, @Nullable Map<String, Object> feed, @Nullable Schema schema, Consumer<Problem> problems) {
        FeedDefinition definition = feed == null ? null : define(pipeline, feed, schema, problems);
        return definition == null ? new ChannelDefinition(PipelineDefinition.inputChannel(pipeline)) : definition;
    }

    private @Nullable FeedDefinition define(
            String pipeline, Map<String, Object> feed, @Nullable Schema schema, Consumer<Problem> problems) {
        List<FeedFactory<?>> kinds = feed.keySet().stream()
                .<FeedFactory<?>>map(factories::named)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        String property = PIPELINES + "." + pipeline;
        if (kinds.size() > 1) {
            problems.accept(new Problem(
                    property + ".feed",
                    CONFLICTING_PROPERTIES.message("Too many properties. Use exactly one of: "
                            + factories.all().stream().map(FeedFactory::name).collect(Collectors.joining(", "))
                            + ".")));
        }
        FeedDefinition definition = null;
        for (FeedFactory<?> kind : kinds) {
            FeedCheck check = new FeedCheck(
                    kind.name(),
                    sslBundles,
                    (at, message) -> problems.accept(new Problem(property + "." + at, message)));
            definition = define(kind, name(pipeline).append("feed").append(kind.name()), check, problems);
            if (definition != null && schema != null && kinds.size() == 1) {
                definition.check(schema, check);
            }
        }
        return kinds.size() == 1 ? definition : null;
    }

    private <P> @Nullable FeedDefinition define(
            FeedFactory<P> kind, ConfigurationPropertyName name, FeedCheck check, Consumer<Problem> problems) {
        ValueCheck values = new ValueCheck(environment);
        Bindable<P> type = Bindable.of(kind.propertiesType());
        Binder binder = PropertyBinding.binder(environment);
        P properties = kind.propertiesType().isRecord()
                ? binder.bindOrCreate(name, type, values)
                : binder.bind(name, type, values).orElse(null);
        values.problems().forEach(problems);
        return properties == null ? null : kind.define(properties, check);
    }

    /** Finds the name of a pipeline's properties, whose form depends on how the pipeline's name is written. */
    private ConfigurationPropertyName name(String pipeline) {
        int index = PIPELINES.getNumberOfElements();
        return StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .filter(IterableConfigurationPropertySource.class::isInstance)
                .flatMap(source -> ((IterableConfigurationPropertySource) source).stream())
                .filter(name -> PIPELINES.isAncestorOf(name)
                        && name.getElement(index, Form.ORIGINAL).equals(pipeline))
                .findFirst()
                .map(name -> name.chop(index + 1))
                .orElseThrow(() -> new IllegalStateException("pipeline=" + pipeline + " has no properties"));
    }
}
