package io.millrace.view.json;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.millrace.view.RecordViews;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;

/**
 * Finds what changes the JSON of a type from that of the schema: a naming strategy, inclusion of values, mixins, and
 * annotations of Jackson other than names of fields of the schema. Stateless.
 */
final class JsonSettings {

    private JsonSettings() {}

    /**
     * Returns whether Jackson has settings for the types of a record.
     *
     * @throws IllegalArgumentException if they let Jackson read fields of objects, or don't apply to subclasses
     */
    static boolean apply(MapperConfig<?> config, RecordViews<?> views) {
        return config.getPropertyNamingStrategy() != null
                || excludes(config.getDefaultPropertyInclusion())
                || views.kinds()
                        .all()
                        .anyMatch(kind -> supertypes(kind.type())
                                .anyMatch(each -> applies(
                                        config, each, kind.shape().members().keySet())));
    }

    private static boolean applies(MapperConfig<?> config, Class<?> type, Set<String> names) {
        if (config.findConfigOverride(type) != null) {
            throw new IllegalArgumentException("Unable to write or read views of " + type.getName()
                    + " with an override: Jackson does not use it for subclasses, such as views. Use annotations or a"
                    + " mixin.");
        }
        return config.findMixInClassFor(type) != null || changes(type, names);
    }

    private static boolean excludes(JsonInclude.Value inclusion) {
        return Stream.of(inclusion.getValueInclusion(), inclusion.getContentInclusion())
                .anyMatch(each -> each != JsonInclude.Include.ALWAYS && each != JsonInclude.Include.USE_DEFAULTS);
    }

    private static Stream<Class<?>> supertypes(@Nullable Class<?> type) {
        return type == null || type == Object.class
                ? Stream.of()
                : Stream.concat(
                        Stream.of(type),
                        Stream.concat(Stream.of(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                                .flatMap(JsonSettings::supertypes));
    }

    private static boolean changes(Class<?> type, Set<String> names) {
        return Stream.of(
                        Stream.of(type),
                        Arrays.stream(type.getDeclaredFields()),
                        Arrays.stream(type.getDeclaredMethods()),
                        Arrays.stream(type.getDeclaredConstructors()))
                .flatMap(elements -> elements)
                .map(AnnotatedElement.class::cast)
                .flatMap(element -> Arrays.stream(element.getAnnotations()))
                .anyMatch(annotation -> changes(annotation, names));
    }

    private static boolean changes(Annotation annotation, Set<String> names) {
        if (annotation instanceof JsonProperty property) {
            return property.access() != JsonProperty.Access.AUTO
                    || !(property.value().isEmpty() || names.contains(property.value()));
        }
        if (annotation instanceof JsonAutoDetect) {
            throw new IllegalArgumentException("Unable to write or read views with " + annotation
                    + ": Jackson may use fields, which views do not use. Remove it.");
        }
        Class<?> type = annotation.annotationType();
        return type.getName().startsWith("com.fasterxml.jackson.")
                || type.getName().startsWith("tools.jackson.")
                || type.isAnnotationPresent(JacksonAnnotationsInside.class);
    }
}
