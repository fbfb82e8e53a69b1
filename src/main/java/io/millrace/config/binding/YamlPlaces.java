package io.millrace.config.binding;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.io.Resource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Finds keys and elements of YAML files: Spring Boot knows the places of values only. Stateless. */
final class YamlPlaces {

    private YamlPlaces() {}

    /**
     * Returns line and column of a property's key or list element, such as {@code 2:1}; empty where it is not found.
     */
    static Optional<String> of(Resource file, ConfigurationPropertyName property) {
        try (Reader reader = new InputStreamReader(file.getInputStream(), StandardCharsets.UTF_8)) {
            for (Node document : new Yaml(new LoaderOptions()).composeAll(reader)) {
                Node found = find(document, property, 0);
                if (found != null) {
                    Mark mark = found.getStartMark();
                    return Optional.of((mark.getLine() + 1) + ":" + (mark.getColumn() + 1));
                }
            }
        } catch (IOException | YAMLException _) {
            // Not valid YAML, so the place is unknown.
        }
        return Optional.empty();
    }

    private static @Nullable Node find(Node in, ConfigurationPropertyName property, int depth) {
        int last = property.getNumberOfElements() - 1;
        if (in instanceof SequenceNode list && property.isNumericIndex(depth)) {
            int index = Integer.parseInt(property.getElement(depth, Form.ORIGINAL));
            Node element = index < list.getValue().size() ? list.getValue().get(index) : null;
            return element == null || depth == last ? element : find(element, property, depth + 1);
        }
        if (in instanceof MappingNode mapping) {
            for (NodeTuple entry : mapping.getValue()) {
                Node key = entry.getKeyNode();
                int length = key instanceof ScalarNode scalar ? matching(scalar.getValue(), property, depth) : 0;
                Node found = length == 0 || depth + length > last
                        ? null
                        : find(entry.getValueNode(), property, depth + length);
                if (length > 0 && depth + length > last) {
                    return key;
                }
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** Returns how many elements of a name, from one on, a key stands for; a key may have dots. */
    private static int matching(String key, ConfigurationPropertyName property, int depth) {
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(key, '.');
        int length = name.getNumberOfElements();
        for (int i = 0; i < length; i++) {
            // A key that is longer than what is looked for, such as millrace.latency for millrace, is where that
            // begins.
            if (depth + i >= property.getNumberOfElements()) {
                return i;
            }
            if (!name.getElement(i, Form.UNIFORM).equals(property.getElement(depth + i, Form.UNIFORM))) {
                return 0;
            }
        }
        return length;
    }
}
