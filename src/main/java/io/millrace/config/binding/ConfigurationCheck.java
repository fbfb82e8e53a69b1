package io.millrace.config.binding;

import static io.millrace.schema.ProblemCode.NO_PIPELINES;
import static io.millrace.schema.ProblemCode.UNKNOWN_PROPERTY;

import io.millrace.config.properties.MillraceProperties;
import io.millrace.pipeline.definition.Problem;
import io.millrace.schema.NearestName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Refuses configurations that have no effect: those without pipelines and regions, and misspelt root keys. Stateless.
 */
public final class ConfigurationCheck {

    private static final String PIPELINES = RootKeys.MILLRACE + ".pipelines";

    /** Keys below {@code millrace} that users easily mistake for root keys. */
    private static final Set<String> BELOW_MILLRACE = Set.of("pipelines", "regions", "tables");

    private ConfigurationCheck() {}

    /**
     * Requires that all root keys that resemble {@code millrace} are {@code millrace}.
     *
     * @throws ConfigurationException with all that differ
     */
    public static void requireKnownRootKeys(ConfigurableEnvironment environment) {
        List<Problem> problems = RootKeys.of(environment).stream()
                .filter(root -> !RootKeys.isMillrace(root))
                .filter(root -> NearestName.of(root, Set.of(RootKeys.MILLRACE)) != null)
                .map(root -> unknown(root, RootKeys.MILLRACE))
                .toList();
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
    }

    /**
     * Returns the properties under {@code millrace}, and requires known root keys, and pipelines or regions. For a
     * process without an application's beans.
     *
     * @param files files that the configuration was read from, for the message
     * @throws ConfigurationException with all problems
     */
    public static MillraceProperties requirePipelines(ConfigurableEnvironment environment, List<Path> files) {
        requireKnownRootKeys(environment);
        // Keys without a value can't be bound.
        if ("".equals(environment.getProperty(RootKeys.MILLRACE)) || "".equals(environment.getProperty(PIPELINES))) {
            throw new ConfigurationException(List.of(missing(files)));
        }
        MillraceProperties properties = PropertyBinding.bind(environment, true);
        if (!properties.pipelines().isEmpty() || !properties.regions().isEmpty()) {
            return properties;
        }
        List<Problem> problems = new ArrayList<>();
        for (String root : RootKeys.of(environment)) {
            if (BELOW_MILLRACE.contains(root)) {
                problems.add(unknown(root, RootKeys.MILLRACE + "." + root));
            }
        }
        throw new ConfigurationException(problems.isEmpty() ? List.of(missing(files)) : problems);
    }

    private static Problem unknown(String root, String known) {
        return new Problem(
                root, UNKNOWN_PROPERTY.message("Unknown root key '" + root + "'. Did you mean '" + known + "'?"));
    }

    private static Problem missing(List<Path> files) {
        String where = files.stream().map(ConfigurationFiles::name).collect(Collectors.joining(", ", " in ", ""));
        return new Problem(
                PIPELINES,
                NO_PIPELINES.message("No pipelines are configured" + (files.isEmpty() ? "" : where)
                        + ". Define them here, or run the sample pipelines with the command 'sample'."));
    }
}
