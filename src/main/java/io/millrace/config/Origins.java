package io.millrace.config;

import java.util.Optional;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.Environment;
import org.springframework.core.io.Resource;

/** Finds the file, line and column that a property was read from. */
public final class Origins {

    private final Environment environment;

    public Origins(Environment environment) {
        this.environment = environment;
    }

    /**
     * Returns the place of the property, or else of the first property below it, or else of the nearest one above it;
     * empty if unknown. For a root key, it is the place of the key itself.
     */
    public Optional<String> of(String property) {
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
        while (!name.isEmpty()) {
            for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
                Optional<Origin> origin = find(source, name);
                if (origin.isPresent()) {
                    return Optional.of(describe(origin.get(), name));
                }
            }
            name = name.getParent();
        }
        return Optional.empty();
    }

    private static String describe(Origin origin, ConfigurationPropertyName name) {
        if (origin instanceof PropertySourceOrigin outer && outer.getOrigin() != null) {
            return describe(outer.getOrigin(), name);
        }
        if (origin instanceof TextResourceOrigin text) {
            Resource resource = text.getResource();
            TextResourceOrigin.Location at = text.getLocation();
            if (resource != null && at != null && resource.isFile()) {
                String place = (at.getLine() + 1) + ":" + (at.getColumn() + 1);
                boolean root = name.getNumberOfElements() == 1;
                return resource.getFilename() + ":"
                        + (root ? RootKeys.place(resource, name.toString()).orElse(place) : place);
            }
        }
        return origin.toString();
    }

    private static Optional<Origin> find(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        if (property != null) {
            return Optional.ofNullable(property.getOrigin());
        }
        if (source instanceof IterableConfigurationPropertySource iterable) {
            return iterable.stream().filter(name::isAncestorOf).findFirst().flatMap(below -> find(source, below));
        }
        return Optional.empty();
    }
}
