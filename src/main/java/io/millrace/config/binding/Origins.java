package io.millrace.config.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/** Finds the file, line and column that a property was read from. */
public final class Origins {

    private final Environment environment;

    public Origins(Environment environment) {
        this.environment = environment;
    }

    /**
     * Where the value of a property stands, or else its key in YAML, or else what is above it; empty if unknown.
     *
     * @param atKey whether the key is looked for although there is a value
     */
    public Optional<String> of(String property, boolean atKey) {
        ConfigurationPropertyName name = name(property);
        while (!name.isEmpty()) {
            for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
                ConfigurationProperty value = source.getConfigurationProperty(name);
                Optional<Origin> origin =
                        value == null ? firstBelow(source, name) : Optional.ofNullable(value.getOrigin());
                if (origin.isPresent()) {
                    return Optional.of(describe(origin.get(), value == null || atKey ? inFile(source, name) : null));
                }
            }
            name = name.getParent();
        }
        return Optional.empty();
    }

    /** Returns the name that a property has in the file that a source was read from. */
    private static ConfigurationPropertyName inFile(
            ConfigurationPropertySource source, ConfigurationPropertyName property) {
        return source.getUnderlyingSource() instanceof TestMerge tests
                ? name(tests.nameInFile(property.toString()))
                : property;
    }

    /** Returns whether what YAML takes for a comment follows the value of a property, which is not quoted. */
    boolean hasComment(String property) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty value = source.getConfigurationProperty(name(property));
            if (value != null && file(value.getOrigin()) instanceof TextResourceOrigin text) {
                Resource resource = text.getResource();
                TextResourceOrigin.Location at = text.getLocation();
                return resource != null && at != null && hasComment(resource, at);
            }
        }
        return false;
    }

    private static boolean hasComment(Resource file, TextResourceOrigin.Location at) {
        try {
            String line = file.getContentAsString(StandardCharsets.UTF_8)
                    .lines()
                    .skip(at.getLine())
                    .findFirst()
                    .orElse("");
            String value =
                    line.substring(Math.min(at.getColumn(), line.length())).strip();
            return value.startsWith("#") || (value.contains(" #") && !value.matches("['\"|>].*"));
        } catch (IOException _) {
            return false;
        }
    }

    private static String describe(Origin origin, @Nullable ConfigurationPropertyName key) {
        if (file(origin) instanceof TextResourceOrigin text) {
            Resource resource = text.getResource();
            TextResourceOrigin.Location at = text.getLocation();
            if (resource != null && at != null && (resource.isFile() || resource instanceof ByteArrayResource)) {
                String value = (at.getLine() + 1) + ":" + (at.getColumn() + 1);
                return resource.getFilename() + ":"
                        + Optional.ofNullable(key)
                                .flatMap(name -> YamlPlaces.of(resource, name))
                                .orElse(value);
            }
        }
        return String.valueOf(file(origin));
    }

    /** In brackets, dashes and case count; files have names of maps mostly without. */
    private static ConfigurationPropertyName name(String property) {
        return ConfigurationPropertyName.adapt(property.replaceAll("\\[([A-Za-z][A-Za-z0-9_-]*)]", ".$1"), '.');
    }

    private static @Nullable Origin file(@Nullable Origin origin) {
        return origin instanceof PropertySourceOrigin outer && outer.getOrigin() != null
                ? file(outer.getOrigin())
                : origin;
    }

    private static Optional<Origin> firstBelow(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        return source instanceof IterableConfigurationPropertySource iterable
                ? iterable.stream()
                        .filter(name::isAncestorOf)
                        .findFirst()
                        .map(source::getConfigurationProperty)
                        .map(ConfigurationProperty::getOrigin)
                : Optional.empty();
    }
}
