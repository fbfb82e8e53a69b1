package io.millrace.config.binding;

import io.millrace.pipeline.rules.RulesText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.yaml.snakeyaml.DumperOptions;

/**
 * The properties of a pipeline's steps in an environment. Two environments have the same steps if these have the same
 * fingerprint.
 */
public final class StepProperties {

    private static final int FINGERPRINT_BYTES = 8;

    /** Values by the name below the pipeline, in the order of the configuration. */
    private final Map<ConfigurationPropertyName, Object> values = new LinkedHashMap<>();

    private final int depth;

    private StepProperties(Environment environment, ConfigurationPropertyName pipeline) {
        ConfigurationPropertyName steps = pipeline.append("steps");
        depth = pipeline.getNumberOfElements();
        ConfigurationPropertySources.get(environment).forEach(source -> {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream().filter(steps::isAncestorOf).forEach(name -> {
                    ConfigurationProperty property = source.getConfigurationProperty(name);
                    values.putIfAbsent(name, value(environment, property));
                });
            }
        });
    }

    /** Returns the properties of a pipeline's steps. */
    public static StepProperties in(Environment environment, String pipeline) {
        return new StepProperties(environment, new ExtensionBinder(environment).path(pipeline));
    }

    private static Object value(Environment environment, @Nullable ConfigurationProperty property) {
        Object value = property == null ? "" : property.getValue();
        // Line ends behind a text depend on the style of YAML.
        return environment.resolvePlaceholders(String.valueOf(value)).strip();
    }

    /** Returns the steps as YAML. */
    public RulesText text() {
        Map<String, Object> root = new LinkedHashMap<>();
        values.forEach((name, value) -> put(root, name, depth, value));
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setSplitLines(false);
        return new RulesText(TextYaml.dumper(options).dump(root), fingerprint(), "");
    }

    @SuppressWarnings("unchecked") // maps have names, and lists have any values
    private static void put(Object parent, ConfigurationPropertyName name, int at, Object value) {
        boolean last = at == name.getNumberOfElements() - 1;
        String element = name.getElement(at, Form.ORIGINAL);
        Object child = last ? value : container(name, at + 1);
        if (parent instanceof List<?> list) {
            int index = Integer.parseInt(element);
            while (list.size() <= index) {
                ((List<Object>) list).add("");
            }
            if (last || "".equals(list.get(index))) {
                ((List<Object>) list).set(index, child);
            }
            child = list.get(index);
        } else {
            Map<String, Object> map = (Map<String, Object>) parent;
            if (last) {
                map.put(element, value);
            } else {
                child = Objects.requireNonNull(map.computeIfAbsent(element, _ -> container(name, at + 1)));
            }
        }
        if (!last) {
            put(child, name, at + 1, value);
        }
    }

    private static Object container(ConfigurationPropertyName name, int at) {
        return name.isNumericIndex(at) ? new ArrayList<>() : new LinkedHashMap<>();
    }

    /** Returns a hash of names and values. */
    public String fingerprint() {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            values.forEach((name, value) -> {
                hash.update(name.subName(depth).toString().getBytes(StandardCharsets.UTF_8));
                hash.update((byte) 0);
                hash.update(value.toString().strip().getBytes(StandardCharsets.UTF_8));
                hash.update((byte) 0);
            });
            return HexFormat.of().formatHex(hash.digest(), 0, FINGERPRINT_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
