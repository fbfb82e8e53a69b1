package io.millrace.config.binding;

import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.INVALID_YAML;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.UNKNOWN_PROPERTY;
import static io.millrace.schema.ProblemCode.WRONG_STRUCTURE;

import io.millrace.pipeline.definition.Problem;
import io.millrace.pipeline.rules.RulesText;
import io.millrace.schema.NearestName;
import io.millrace.schema.yaml.YamlErrors;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;

/**
 * Reads the rules of a pipeline from a text of their own, such as the body of a request. The text comes from anybody
 * who may change rules, so it is limited in length, depth and number of values, and can't refer to variables of the
 * process. Stateless.
 */
public final class RulesReader {

    private static final int LENGTH_MAX = 256 * 1024;
    private static final int DEPTH_MAX = 20;

    /**
     * Keys and values, with lists and mappings: compiling takes a few milliseconds for each expression, on a thread for
     * many requests.
     */
    private static final int NODES_MAX = 2_000;

    private static final int SNIPPET_MAX = 100;
    private static final String STEPS = "steps";
    private static final String COMMENT = "comment";
    private static final String NAME = "rules";
    private static final String PLACEHOLDER = "${";

    /** The text is read as part of a configuration, so that all checks of one apply. */
    private static final int LINES_BEFORE = 3;

    private static final int INDENTATION = 6;
    private static final Pattern PLACE = Pattern.compile(NAME + ":(\\d+):(\\d+)");

    private RulesReader() {}

    /**
     * Returns an environment with the steps of a pipeline and nothing else.
     *
     * @throws ConfigurationException if the text is not a mapping with {@code steps}
     */
    public static ConfigurableEnvironment environment(String pipeline, String text) {
        requireForm(parse(text));
        String key = pipeline.matches("[A-Za-z0-9_-]+") ? pipeline : "\"[" + pipeline + "]\"";
        String indented = text.indent(INDENTATION);
        String wrapped = RootKeys.MILLRACE + ":\n  pipelines:\n    " + key + ":\n" + indented;
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().stream()
                .map(PropertySource::getName)
                .toList()
                .forEach(environment.getPropertySources()::remove);
        try {
            for (PropertySource<?> source : new ConfigurationYaml().load(NAME, new Text(wrapped))) {
                EnumerablePropertySource<?> steps = withoutComment((EnumerablePropertySource<?>) source);
                if (steps.getPropertyNames().length == 0) {
                    throw withoutSteps(); // mappings without keys
                }
                environment.getPropertySources().addFirst(steps);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (YAMLException e) {
            throw new ConfigurationException(List.of(new Problem(NAME, INVALID_YAML.message(YamlErrors.describe(e)))));
        }
        return environment;
    }

    private static EnumerablePropertySource<?> withoutComment(EnumerablePropertySource<?> source) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (String name : source.getPropertyNames()) {
            if (!name.endsWith("." + COMMENT) || name.contains("." + STEPS + "[")) {
                // Not getProperty, which returns the value without its origin.
                properties.put(name, ((Map<?, ?>) source.getSource()).get(name));
            }
        }
        return new OriginTrackedMapPropertySource(NAME, properties);
    }

    /** A text that errors name. */
    private static final class Text extends ByteArrayResource {

        Text(String text) {
            super(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String getFilename() {
            return NAME;
        }
    }

    /**
     * Returns a place as {@link Origins} describe it as line and column of the text; empty if it is not in the text.
     */
    public static String place(String origin) {
        Matcher place = PLACE.matcher(origin);
        int line = place.matches() ? Integer.parseInt(place.group(1)) - LINES_BEFORE : 0;
        return line < 1 ? "" : line + ":" + Math.max(1, Integer.parseInt(place.group(2)) - INDENTATION);
    }

    /** Returns the comment of a text with {@link #environment steps}; empty if it has none. */
    public static String comment(String text) {
        Object comment = parse(text) instanceof Map<?, ?> mapping ? mapping.get(COMMENT) : null;
        return comment == null ? "" : comment.toString().strip();
    }

    private static Object parse(String text) {
        if (text.length() > LENGTH_MAX) {
            throw problem(
                    NAME,
                    WRONG_STRUCTURE.message("Too many characters: " + text.length() + ". Rules may have " + LENGTH_MAX
                            + " characters at most."));
        }
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        try {
            requireBounded(new Yaml(options).parse(new StringReader(text)));
            Object parsed =
                    TextYaml.loader(new SafeConstructor(options), options).load(text);
            return parsed == null ? "" : parsed;
        } catch (YAMLException e) {
            Mark mark = YamlErrors.place(e);
            throw mark == null
                    ? problem(NAME, INVALID_YAML.message(YamlErrors.describe(e)))
                    : problem(
                            place(mark),
                            INVALID_YAML.message(YamlErrors.describe(e)) + "\n" + mark.get_snippet(2, SNIPPET_MAX));
        }
    }

    /**
     * Refuses too many keys and values, too many levels, aliases and placeholders. The latter two repeat other parts of
     * the text, so that a short text could become a huge one. A placeholder could also read variables of the process.
     *
     * @param events as the parser finds them: for the text behind many levels, it would take much longer
     */
    private static void requireBounded(Iterable<Event> events) {
        int nodes = 0;
        int depth = 0;
        for (Event event : events) {
            if (event instanceof NodeEvent && ++nodes > NODES_MAX) {
                throw problem(
                        place(event.getStartMark()),
                        WRONG_STRUCTURE.message(
                                "Too many keys and values. Rules of their own may have " + NODES_MAX + " at most."));
            }
            if (event instanceof CollectionStartEvent && ++depth > DEPTH_MAX) {
                throw problem(
                        place(event.getStartMark()),
                        WRONG_STRUCTURE.message(
                                "Too many levels. Rules of their own may have " + DEPTH_MAX + " at most."));
            }
            if (event instanceof CollectionEndEvent) {
                depth--;
            }
            if (event instanceof AliasEvent alias) {
                throw problem(
                        place(alias.getStartMark()),
                        INVALID_YAML.message("Unexpected alias '*" + alias.getAnchor()
                                + "'. Write the value out, or quote it if it is a text."));
            }
            if (event instanceof ScalarEvent scalar && scalar.getValue().contains(PLACEHOLDER)) {
                throw problem(
                        place(scalar.getStartMark()),
                        INVALID_VALUE.message("Unexpected placeholder '" + PLACEHOLDER
                                + "'. Write the value out: rules of their own do not read variables."));
            }
        }
    }

    private static String place(Mark mark) {
        return NAME + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
    }

    private static ConfigurationException problem(String property, String message) {
        return new ConfigurationException(List.of(new Problem(property, message)));
    }

    private static void requireForm(Object parsed) {
        if (!(parsed instanceof Map<?, ?> mapping)) {
            throw problem(NAME, WRONG_STRUCTURE.message("Rules are a mapping with 'steps', and perhaps 'comment'."));
        }
        for (Object key : mapping.keySet()) {
            if (!Set.of(STEPS, COMMENT).contains(String.valueOf(key))) {
                throw problem(
                        String.valueOf(key),
                        UNKNOWN_PROPERTY.message(
                                "Unknown property '" + key + "'"
                                        + NearestName.hint(String.valueOf(key), Set.of(STEPS, COMMENT))
                                        + " Only the steps of a pipeline can change while it runs. Use one of: steps, comment."));
            }
        }
        if (!(mapping.get(STEPS) instanceof List<?> steps) || steps.isEmpty()) {
            throw withoutSteps();
        }
    }

    private static ConfigurationException withoutSteps() {
        return problem(STEPS, MISSING_VALUE.message("Missing value: a list of steps."));
    }

    /** Returns a text of rules with its fingerprint. */
    public static RulesText read(String pipeline, String text) {
        return new RulesText(
                text, StepProperties.in(environment(pipeline, text), pipeline).fingerprint(), comment(text));
    }
}
