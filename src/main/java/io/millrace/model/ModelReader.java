package io.millrace.model;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads the text of a valid schema with its comments. Anchors become copies of what they mean. A comment in a line of
 * its own belongs to the next field. Not thread-safe.
 */
public final class ModelReader {

    private static final String FIELDS = "fields";
    private static final String TYPES = "types";

    private final List<String> lines;
    /** Fields by the line in which they start, from 0. */
    private final TreeMap<Integer, ModelField> starts = new TreeMap<>();

    private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private ModelReader(String text) {
        lines = text.lines().toList();
    }

    /** Returns the schema of a text, which {@link io.millrace.schema.yaml.SchemaReader} accepts. */
    public static ModelSchema read(String text) {
        ModelReader reader = new ModelReader(text);
        return reader.schema(new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(text)));
    }

    private ModelSchema schema(Node root) {
        ModelSchema schema = new ModelSchema();
        for (Map.Entry<String, Node> entry : entries(root).entrySet()) {
            if (entry.getKey().equals(FIELDS)) {
                fields(entry.getValue(), schema.fields());
            } else if (entry.getKey().equals(TYPES)) {
                types(entry.getValue(), schema.types());
            } else if (entry.getKey().equals(ModelSchema.CONSTRAINTS)
                    && entry.getValue() instanceof SequenceNode constraints) {
                schema.constrain(
                        constraints.getValue().stream().map(ModelReader::map).toList());
            } else {
                schema.attributes().put(entry.getKey(), value(entry.getValue()));
            }
        }
        int start = start(root);
        for (int line = 0; line < lines.size(); line++) {
            String text = lines.get(line).strip();
            if (!text.startsWith("#")) {
                continue;
            }
            Map.Entry<Integer, ModelField> next = starts.higherEntry(line);
            if (next == null) {
                schema.tail().add(text);
            } else if (line < start) {
                schema.head().add(text);
            } else {
                next.getValue().remarks().add(text);
            }
        }
        return schema;
    }

    /** Returns the line in which the types or fields start. */
    private static int start(Node root) {
        return ((MappingNode) root)
                .getValue().stream()
                        .filter(entry -> value(entry.getKeyNode()) instanceof String key
                                && (key.equals(FIELDS) || key.equals(TYPES)))
                        .mapToInt(entry -> entry.getKeyNode().getStartMark().getLine())
                        .min()
                        .orElse(0);
    }

    private void types(Node named, List<ModelField> into) {
        if (!(named instanceof MappingNode mapping)) {
            return;
        }
        for (NodeTuple entry : mapping.getValue()) {
            Node key = entry.getKeyNode();
            ModelField type = new ModelField(value(key).toString());
            starts.put(key.getStartMark().getLine(), type);
            String line = lines.get(key.getStartMark().getLine());
            int colon = line.indexOf(':', key.getEndMark().getColumn());
            String rest = colon < 0 ? "" : line.substring(colon + 1).strip();
            type.comment(rest.startsWith("#") ? rest.substring(1).strip() : "");
            attributes(entry.getValueNode(), type);
            into.add(type);
        }
    }

    private void fields(Node list, List<ModelField> into) {
        if (list instanceof SequenceNode sequence) {
            sequence.getValue().forEach(node -> into.add(field(node)));
        }
    }

    private ModelField field(Node node) {
        Map<String, Node> entries = entries(node);
        Node named = entries.get("name");
        ModelField field = new ModelField(named == null ? "" : value(named).toString());
        if (seen.add(node)) {
            starts.put(node.getStartMark().getLine(), field);
            boolean block = node instanceof MappingNode mapping
                    && mapping.getFlowStyle() == org.yaml.snakeyaml.DumperOptions.FlowStyle.BLOCK;
            field.comment(comment(block && named != null ? named : node));
        }
        attributes(node, field);
        return field;
    }

    private void attributes(Node node, ModelField field) {
        entries(node).forEach((key, value) -> {
            if (key.equals(FIELDS)) {
                fields(value, field.fields());
            } else if (!key.equals("name")) {
                field.attributes().put(key, value(value));
            }
        });
    }

    /** Returns the comment behind a node in its last line, or an empty text. */
    private String comment(Node node) {
        if (node.getEndMark().getLine() >= lines.size()) {
            return "";
        }
        String line = lines.get(node.getEndMark().getLine());
        int[] points = line.codePoints().toArray();
        int column = Math.min(node.getEndMark().getColumn(), points.length);
        String rest = new String(points, column, points.length - column).strip();
        return rest.startsWith("#") ? rest.substring(1).strip() : "";
    }

    /** Returns the entries of a mapping, with those of its merge keys behind. */
    private static Map<String, Node> entries(Node node) {
        Map<String, Node> entries = new LinkedHashMap<>();
        if (node instanceof MappingNode mapping) {
            List<Node> merged = new ArrayList<>();
            for (NodeTuple entry : mapping.getValue()) {
                if (entry.getKeyNode().getTag().equals(Tag.MERGE)) {
                    merged.add(entry.getValueNode());
                } else {
                    entries.putIfAbsent(value(entry.getKeyNode()).toString(), entry.getValueNode());
                }
            }
            for (Node each : merged) {
                List<Node> sources = each instanceof SequenceNode sequence ? sequence.getValue() : List.of(each);
                sources.forEach(source -> entries(source).forEach(entries::putIfAbsent));
            }
        }
        return entries;
    }

    private static Object value(Node node) {
        return switch (node) {
            case ScalarNode scalar -> scalar.getValue();
            case SequenceNode sequence ->
                sequence.getValue().stream().map(each -> value(each).toString()).toList();
            default -> map(node);
        };
    }

    private static Map<String, String> map(Node node) {
        Map<String, String> map = new LinkedHashMap<>();
        entries(node).forEach((key, value) -> map.put(key, value(value).toString()));
        return map;
    }
}
