package io.millrace;

import io.millrace.ConfigurationPage.Row;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.PipelineProperties;
import io.millrace.extension.Extension;
import io.millrace.feed.FeedFactory;
import io.millrace.output.OutputFactory;
import io.millrace.pipeline.step.StepFactory;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.ResolvableType;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON schema of configurations, by which editors complete, describe and check properties. It follows from the
 * types that the properties of Millrace, and of the built-in kinds of feeds, steps and outputs, are bound to.
 */
final class ConfigurationSchema {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** A value may refer to a variable wherever it stands. */
    private static final String VARIABLE = "\\$\\{";

    /** Root keys of Spring Boot. */
    private static final List<String> SPRING =
            List.of("spring", "server", "management", "logging", "info", "debug", "trace");

    private final Map<String, Row> page;

    /** The defaults of all properties that are no objects, by path; empty texts for properties without one. */
    private final Map<String, String> defaults = new LinkedHashMap<>();

    ConfigurationSchema(Map<String, Row> page) {
        this.page = page;
    }

    Map<String, String> defaults() {
        return defaults;
    }

    ObjectNode root() {
        ObjectNode root = JSON.createObjectNode();
        root.put("$schema", "http://json-schema.org/draft-07/schema#");
        root.put("title", "Configuration of Millrace");
        root.put("type", "object");
        ObjectNode properties = root.putObject("properties");
        properties.set("millrace", record(MillraceProperties.class, "millrace"));
        SPRING.forEach(properties::putObject);
        root.putObject("patternProperties").putObject("^(millrace|" + String.join("|", SPRING) + ")\\.");
        root.put("additionalProperties", false);
        return root;
    }

    private ObjectNode record(Class<?> type, String path) {
        ObjectNode schema = object();
        ObjectNode properties = schema.putObject("properties");
        for (RecordComponent component : type.getRecordComponents()) {
            String name = DataObjectPropertyName.toDashedForm(component.getName());
            String at = path + "." + name;
            DefaultValue annotation = component.getAnnotation(DefaultValue.class);
            String defaultValue = annotation == null ? "" : String.join(", ", annotation.value());
            ObjectNode property = property(type, component, at, defaultValue);
            describe(property, at, defaultValue);
            properties.set(name, property);
        }
        schema.put("additionalProperties", false);
        return schema;
    }

    private ObjectNode property(Class<?> type, RecordComponent component, String path, String defaultValue) {
        if (type == PipelineProperties.class && component.getName().equals("feed")) {
            return feed(path);
        }
        if (type == PipelineProperties.class && component.getName().equals("steps")) {
            ObjectNode steps = JSON.createObjectNode().put("type", "array");
            steps.set("items", kinds(ServiceLoader.load(StepFactory.class), path + "[i]"));
            return steps;
        }
        if (type == MillraceProperties.class && component.getName().equals("outputs")) {
            return mapOf(kinds(ServiceLoader.load(OutputFactory.class), path + ".NAME"));
        }
        return of(ResolvableType.forType(component.getGenericType()), path, defaultValue);
    }

    /** A kind of feed, and whether its end is final. */
    private ObjectNode feed(String path) {
        ObjectNode feed = kinds(ServiceLoader.load(FeedFactory.class), path).put("maxProperties", 2);
        ObjectNode last = scalar(boolean.class);
        describe(last, path + ".final", "false");
        defaults.put(path + ".final", "false");
        ((ObjectNode) feed.get("properties")).set("final", last);
        return feed;
    }

    /** An object with the name of one kind, and its properties. */
    private ObjectNode kinds(Iterable<?> kinds, String path) {
        ObjectNode schema = object().put("minProperties", 1).put("maxProperties", 1);
        ObjectNode properties = schema.putObject("properties");
        for (Object each : kinds) {
            Extension<?> kind = (Extension<?>) each;
            String at = path + "." + kind.name();
            ObjectNode property = of(ResolvableType.forType(kind.propertiesType()), at, "");
            describe(property, at, "");
            properties.set(kind.name(), property);
        }
        schema.put("additionalProperties", false);
        return schema;
    }

    private ObjectNode of(ResolvableType type, String path, String defaultValue) {
        Class<?> raw = type.toClass();
        if (raw.isRecord()) {
            return record(raw, path);
        }
        ResolvableType element = Map.class.isAssignableFrom(raw) ? type.getGeneric(1) : type.getGeneric(0);
        if (element.toClass().isRecord()) {
            return Map.class.isAssignableFrom(raw)
                    ? mapOf(record(element.toClass(), path + ".NAME"))
                    : listOf(record(element.toClass(), path + "[i]"));
        }
        defaults.put(path, defaultValue);
        if (Map.class.isAssignableFrom(raw)) {
            return mapOf(scalar(element.toClass()));
        }
        return List.class.isAssignableFrom(raw)
                ? anyOf(listOf(scalar(element.toClass())), scalar(element.toClass()))
                : scalar(raw);
    }

    private static ObjectNode object() {
        ArrayNode types = JSON.createArrayNode().add("object").add("null");
        ObjectNode schema = JSON.createObjectNode();
        schema.set("type", types);
        return schema;
    }

    private static ObjectNode mapOf(ObjectNode values) {
        ObjectNode map = object();
        map.set("additionalProperties", values);
        return map;
    }

    private static ObjectNode listOf(ObjectNode elements) {
        ObjectNode list = JSON.createObjectNode().put("type", "array");
        list.set("items", elements);
        return list;
    }

    private static ObjectNode anyOf(ObjectNode... schemas) {
        ObjectNode any = JSON.createObjectNode();
        any.putArray("anyOf").addAll(List.of(schemas));
        return any;
    }

    private static ObjectNode scalar(Class<?> type) {
        if (type == Object.class) {
            return JSON.createObjectNode();
        }
        if (type.isEnum()) {
            ObjectNode names = JSON.createObjectNode();
            ArrayNode values = names.putArray("enum");
            Arrays.stream(type.getEnumConstants())
                    .map(constant -> ((Enum<?>) constant).name())
                    .map(name -> name.toLowerCase(Locale.ROOT).replace('_', '-'))
                    .forEach(values::add);
            return anyOf(names, text(VARIABLE));
        }
        if (type == Duration.class) {
            return anyOf(number("integer").put("maximum", 0), text("^(\\d+ ?(ns|us|ms|s|m|h|d)|P.*)$|" + VARIABLE));
        }
        if (type == DataSize.class) {
            return anyOf(number("integer").put("maximum", 0), text("^\\d+ ?(B|KB|MB|GB|TB)$|" + VARIABLE));
        }
        if (type == boolean.class || type == Boolean.class) {
            return anyOf(JSON.createObjectNode().put("type", "boolean"), text(VARIABLE));
        }
        if (type == double.class || type == float.class) {
            return anyOf(number("number"), text(VARIABLE));
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return anyOf(number("integer"), text(VARIABLE));
        }
        ObjectNode any = JSON.createObjectNode();
        any.putArray("type").add("string").add("number").add("boolean");
        return any;
    }

    private static ObjectNode number(String type) {
        return JSON.createObjectNode().put("type", type);
    }

    private static ObjectNode text(String pattern) {
        return JSON.createObjectNode().put("type", "string").put("pattern", pattern);
    }

    private void describe(ObjectNode property, String path, String defaultValue) {
        @Nullable Row row = page.get(path);
        if (row != null) {
            property.put("description", row.description());
        }
        if (defaultValue.equals("true") || defaultValue.equals("false")) {
            property.put("default", Boolean.parseBoolean(defaultValue));
        } else if (defaultValue.matches("\\d+")) {
            property.put("default", Long.parseLong(defaultValue));
        } else if (!defaultValue.isEmpty()) {
            property.put("default", defaultValue);
        }
    }
}
