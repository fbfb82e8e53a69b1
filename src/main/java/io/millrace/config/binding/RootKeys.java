package io.millrace.config.binding;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.StandardEnvironment;

/** The first elements of property names, such as {@code millrace} or {@code server}. Stateless. */
final class RootKeys {

    /** The root key of all properties of Millrace. */
    static final String MILLRACE = "millrace";

    /** Sources that contain properties of unrelated programs, so that unknown root keys there are no mistakes. */
    private static final Set<String> SHARED = Set.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    private RootKeys() {}

    /** Returns the root keys of files and arguments as written; those of environment variables are excluded. */
    static Set<String> of(ConfigurableEnvironment environment) {
        Set<String> roots = new LinkedHashSet<>();
        environment.getPropertySources().stream()
                .filter(source -> !SHARED.contains(source.getName()))
                .filter(EnumerablePropertySource.class::isInstance)
                .flatMap(source -> Arrays.stream(((EnumerablePropertySource<?>) source).getPropertyNames()))
                .sorted()
                .map(name -> ConfigurationPropertyName.adapt(name, '.'))
                .filter(name -> !name.isEmpty())
                .forEach(name -> roots.add(name.getElement(0, Form.ORIGINAL)));
        return roots;
    }

    /** Returns whether properties below the key bind to those of Millrace: case and dashes are ignored. */
    static boolean isMillrace(String root) {
        return uniform(root).equals(MILLRACE);
    }

    private static String uniform(String root) {
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(root, '.');
        return name.isEmpty() ? "" : name.getElement(0, Form.UNIFORM);
    }
}
