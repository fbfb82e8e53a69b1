package io.millrace.config.binding;

import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.UNKNOWN_PROPERTY;
import static io.millrace.schema.ProblemCode.WRONG_STRUCTURE;

import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.PipelineProperties;
import io.millrace.extension.Extensions;
import io.millrace.pipeline.definition.Problem;
import io.millrace.schema.NearestName;
import io.millrace.schema.ProblemCode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/**
 * Finds names of properties that no record has, and values of another structure, such as a list instead of a mapping.
 * Spring Boot's own check reports all that is behind such a mistake as well, and nothing of what is below a list whose
 * other elements are bound. Not thread-safe; used once.
 */
final class StructureCheck {

    private static final String MAPPING = "Use a mapping with: ";

    /** Stands for the type of a feed, whose properties are the kinds of feeds and {@link PipelineReader#FINAL}. */
    private static final class FeedKinds {}

    /** Stands for the type of a step, whose properties are the kinds of steps. */
    private static final class StepKinds {}

    /** Stands for the type of an output, whose properties are the kinds of outputs. */
    private static final class OutputKinds {}

    private static final Type OUTPUTS = ResolvableType.forClassWithGenerics(Map.class, String.class, OutputKinds.class)
            .getType();
    private static final Type STEPS =
            ResolvableType.forClassWithGenerics(List.class, StepKinds.class).getType();

    private final Map<Type, Extensions<?>> kinds;
    private final Set<Type> complete;
    private final Map<ConfigurationPropertyName, Problem> problems = new LinkedHashMap<>();
    private final Map<ConfigurationPropertyName, BitSet> elements = new LinkedHashMap<>();
    /** What {@link #children} returned: each property of each step needs that of all types above it. */
    private final Map<Type, Map<String, Type>> children = new HashMap<>();

    /** @param complete those of the kinds that contain all kinds; others are not reported as unknown */
    private StructureCheck(Map<Type, Extensions<?>> kinds, Set<Type> complete) {
        this.kinds = kinds;
        this.complete = complete;
    }

    /**
     * Returns what is wrong with the properties under {@code millrace}, those of environment variables excepted.
     *
     * @param allFeeds whether these are all kinds of feeds and outputs; if not, those of other kinds are not checked
     * @param allSteps whether these are all kinds of steps; if not, those of other kinds are not checked
     */
    static Collection<Problem> problems(
            Environment environment, ExtensionKinds kinds, boolean allFeeds, boolean allSteps) {
        Set<Type> complete = new HashSet<>();
        if (allFeeds) {
            complete.add(FeedKinds.class);
            complete.add(OutputKinds.class);
        }
        if (allSteps) {
            complete.add(StepKinds.class);
        }
        StructureCheck check = new StructureCheck(
                Map.of(
                        FeedKinds.class, kinds.feeds(),
                        StepKinds.class, kinds.steps(),
                        OutputKinds.class, kinds.outputs()),
                complete);
        UnboundElementsSourceFilter own = new UnboundElementsSourceFilter();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (own.apply(source) && source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream()
                        .filter(ConfigurationPropertyName.of(RootKeys.MILLRACE)::isAncestorOf)
                        .forEach(name -> check.check(name, value(source, name)));
                check.elements.forEach(check::requireAll);
                check.elements.clear();
            }
        }
        return check.problems.values();
    }

    private static String value(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        var property = source.getConfigurationProperty(name);
        return property == null ? "" : String.valueOf(property.getValue());
    }

    private void check(ConfigurationPropertyName name, String value) {
        Type type = MillraceProperties.class;
        for (int depth = 1; depth < name.getNumberOfElements(); depth++) {
            ConfigurationPropertyName parent = name.chop(depth);
            ConfigurationPropertyName here = name.chop(depth + 1);
            if (problems.containsKey(parent)) {
                return;
            }
            String given = name.getElement(depth, Form.ORIGINAL);
            boolean listed = name.isNumericIndex(depth);
            Type next = null;
            if (isA(type, List.class)) {
                if (!listed) {
                    wrong(
                            parent,
                            WRONG_STRUCTURE,
                            "Invalid value: a mapping. Use a list: write '- ' before each element.");
                } else {
                    elements.computeIfAbsent(parent, _ -> new BitSet()).set(Integer.parseInt(given));
                    next = element(type);
                }
            } else if (listed && (!isA(type, Map.class) || given.equals("0"))) {
                wrong(parent, WRONG_STRUCTURE, "Invalid value: a list. " + expected(type));
            } else if (isA(type, Map.class)) {
                if (!children(element(type)).isEmpty()) {
                    next = element(type);
                } else {
                    return; // Names of such a map may have dots.
                }
            } else if (children(type).isEmpty()) {
                wrong(parent, WRONG_STRUCTURE, "Invalid value: a mapping. " + expected(type));
            } else {
                next = children(type).get(uniform(given));
                if (next == null && kinds.containsKey(type) && !complete.contains(type)) {
                    return;
                }
                if (next == null) {
                    problems.putIfAbsent(here, unknown(here, given, type));
                }
            }
            if (next == null) {
                return;
            }
            type = next;
        }
        boolean single = children(type).isEmpty() && !isA(type, Map.class);
        boolean texts = isA(type, List.class) && children(element(type)).isEmpty();
        if (value.isBlank()
                ? type instanceof Class && type != String.class
                : !single || (isA(type, List.class) && !texts)) {
            // Not the value itself: it may be a password.
            wrong(
                    name,
                    value.isBlank() ? MISSING_VALUE : WRONG_STRUCTURE,
                    (value.isBlank() ? "Missing value. " : "Invalid value: a single text. ") + expected(type, value));
        }
    }

    /** An element without any property has no name. */
    private void requireAll(ConfigurationPropertyName list, BitSet present) {
        int first = present.nextClearBit(0);
        if (first < present.length()) {
            wrong(
                    list.append("[" + first + "]"),
                    MISSING_VALUE,
                    "Missing value. Remove this element, or give it properties.");
        }
    }

    private void wrong(ConfigurationPropertyName name, ProblemCode code, String message) {
        problems.putIfAbsent(name, Problem.ofKey(name.toString(), code.message(message)));
    }

    private Problem unknown(ConfigurationPropertyName name, String given, Type type) {
        Collection<String> known = names(type);
        return Problem.ofKey(
                name.toString(),
                UNKNOWN_PROPERTY.message("Unknown property '" + given + "'" + NearestName.hint(given, known)
                        + owner(given, type) + " Use one of: " + String.join(", ", known) + "."));
    }

    /** The property below which one belongs that is one level too high. */
    private String owner(String given, Type type) {
        return names(type).stream()
                .filter(name ->
                        children(below(children(type).get(uniform(name)))).containsKey(uniform(given)))
                .map(name -> " It belongs below '" + name + "'.")
                .findFirst()
                .orElse("");
    }

    private static @Nullable Type below(@Nullable Type type) {
        return type instanceof ParameterizedType ? element(type) : type;
    }

    private String expected(Type type) {
        if (isA(type, Map.class)) {
            return "Use a mapping of names to values.";
        }
        if (isA(type, List.class)) {
            return "Use a list: write '- ' before each element.";
        }
        return children(type).isEmpty() ? "Write a single value." : MAPPING + String.join(", ", names(type)) + ".";
    }

    /** A colon without a space does not end a key. */
    private String expected(Type type, String value) {
        String key = value.substring(0, Math.max(0, value.indexOf(':')));
        return names(type).contains(key) ? "Write a space after the colon of '" + key + "'." : expected(type);
    }

    private Collection<String> names(Type type) {
        Extensions<?> extensions = kinds.get(type);
        if (extensions != null) {
            return type == FeedKinds.class
                    ? Stream.concat(extensions.names().stream(), Stream.of(PipelineReader.FINAL))
                            .toList()
                    : extensions.names();
        }
        return type instanceof Class<?> properties && properties.isRecord()
                ? Arrays.stream(properties.getRecordComponents())
                        .map(component -> DataObjectPropertyName.toDashedForm(component.getName()))
                        .toList()
                : List.of();
    }

    /**
     * The properties of a record, a feed, a step or an output by their names in uniform spelling; none of anything
     * else.
     */
    private Map<String, Type> children(@Nullable Type type) {
        return type == null ? Map.of() : children.computeIfAbsent(type, this::childrenOf);
    }

    private Map<String, Type> childrenOf(Type type) {
        Map<String, Type> children = new HashMap<>();
        Extensions<?> extensions = kinds.get(type);
        if (extensions != null) {
            extensions.all().forEach(kind -> children.put(uniform(kind.name()), kind.propertiesType()));
            if (type == FeedKinds.class) {
                children.put(PipelineReader.FINAL, boolean.class);
            }
        }
        if (type instanceof Class<?> properties && properties.isRecord()) {
            for (RecordComponent component : properties.getRecordComponents()) {
                children.put(uniform(component.getName()), type(properties, component));
            }
        }
        return children;
    }

    private static Type type(Class<?> properties, RecordComponent component) {
        if (properties == PipelineProperties.class && component.getName().equals("feed")) {
            return FeedKinds.class;
        }
        if (properties == MillraceProperties.class && component.getName().equals("outputs")) {
            return OUTPUTS;
        }
        return properties == PipelineProperties.class && component.getName().equals("steps")
                ? STEPS
                : component.getGenericType();
    }

    private static String uniform(String name) {
        return ConfigurationPropertyName.adapt(name, '.').toString().replace("-", "");
    }

    private static boolean isA(Type type, Class<?> raw) {
        return type instanceof ParameterizedType generic && generic.getRawType() == raw;
    }

    /** The type of the elements of a list, or of the values of a map. */
    private static Type element(Type type) {
        Type[] arguments = ((ParameterizedType) type).getActualTypeArguments();
        return arguments[arguments.length - 1];
    }
}
