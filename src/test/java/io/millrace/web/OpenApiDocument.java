package io.millrace.web;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The OpenAPI document of a running service. Not thread-safe. */
final class OpenApiDocument {

    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    private final JsonNode root;
    /** Schemas that permit only what they list, as a new member is to be documented. */
    private final JsonNode strictComponents;

    private final SchemaRegistry schemas = SchemaRegistry.withDialect(Dialects.getDraft202012());
    private final Map<JsonNode, Schema> compiled = new HashMap<>();

    OpenApiDocument(JsonNode root) {
        this.root = root;
        strictComponents = root.at("/components").deepCopy();
        strictComponents.at("/schemas").forEach(OpenApiDocument::permitNothingElse);
    }

    private static void permitNothingElse(JsonNode schema) {
        if (schema instanceof ObjectNode object
                && object.path("properties").isObject()
                && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        schema.forEach(OpenApiDocument::permitNothingElse);
    }

    JsonNode root() {
        return root;
    }

    /** Operations such as {@code GET /regions/{region}}, in their order. */
    Map<String, JsonNode> operations() {
        Map<String, JsonNode> operations = new TreeMap<>();
        root.at("/paths")
                .forEachEntry((path, item) -> item.forEachEntry((method, operation) -> {
                    if (METHODS.contains(method)) {
                        operations.put(method.toUpperCase(Locale.ROOT) + " " + path, operation);
                    }
                }));
        return operations;
    }

    private JsonNode operation(String operation) {
        return Objects.requireNonNull(operations().get(operation), operation);
    }

    /** Names of an operation's parameters that are in {@code query} or {@code path}. */
    Set<String> parameters(String operation, String in) {
        JsonNode item = root.at("/paths").path(operation.split(" ", 2)[1]);
        return Stream.of(item, operation(operation))
                .flatMap(node -> elements(node.path("parameters")))
                .map(this::resolve)
                .filter(parameter -> parameter.path("in").stringValue().equals(in))
                .map(parameter -> parameter.path("name").stringValue())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Documented statuses of an operation, {@code default} included. */
    Set<String> statuses(String operation) {
        return new TreeSet<>(operation(operation).path("responses").propertyNames());
    }

    /** The documented content of a response; null if there is none of this type. */
    @Nullable
    JsonNode content(String operation, int status, String mediaType) {
        JsonNode responses = operation(operation).path("responses");
        JsonNode response =
                resolve(responses.path(responses.has(String.valueOf(status)) ? String.valueOf(status) : "default"));
        JsonNode content = response.path("content").path(mediaType);
        return content.isMissingNode() ? null : content;
    }

    /** What is wrong with a value by a schema, where nothing may be in it that the schema does not list. */
    List<Error> errors(JsonNode schema, JsonNode value) {
        return compiled.computeIfAbsent(schema, this::compile)
                .validate(value, context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)));
    }

    private Schema compile(JsonNode schema) {
        ObjectNode whole = JsonMapper.shared().createObjectNode();
        whole.setAll((ObjectNode) schema.deepCopy());
        whole.set("components", strictComponents);
        return schemas.getSchema(whole);
    }

    private JsonNode resolve(JsonNode node) {
        JsonNode reference = node.path("$ref");
        return reference.isMissingNode()
                ? node
                : root.at(reference.stringValue().substring(1));
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
