package io.millrace.config.binding;

import io.millrace.config.properties.MillraceProperties;
import io.millrace.pipeline.definition.Problem;
import java.beans.PropertyEditorSupport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/** Binds properties as a start does, and reports what does not fit as problems like all others. */
public final class PropertyBinding {

    private PropertyBinding() {}

    /**
     * Returns the properties under {@code millrace}. Feeds, steps and outputs of kinds that are not installed are not
     * checked, because an application may define such a kind as a bean; the plan checks all of them.
     *
     * @throws ConfigurationException for unknown names, those of environment variables excepted, for values of another
     *     structure or type, and for durations and sizes without a unit
     */
    public static MillraceProperties bind(Environment environment) {
        return bind(environment, false);
    }

    /**
     * Returns the properties under {@code millrace}, as {@link #bind(Environment)} does.
     *
     * @param allSteps whether no application defines kinds of steps, so that those that are not installed are unknown
     */
    static MillraceProperties bind(Environment environment, boolean allSteps) {
        ValueCheck values = new ValueCheck(environment);
        List<Problem> problems =
                new ArrayList<>(StructureCheck.problems(environment, ExtensionKinds.installed(), false, allSteps));
        MillraceProperties properties =
                binder(environment).bindOrCreate("millrace", Bindable.of(MillraceProperties.class), values);
        values.problems().stream()
                .filter(problem ->
                        problems.stream().noneMatch(known -> known.property().equals(problem.property())))
                .distinct()
                .toList()
                .forEach(problems::add);
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return properties;
    }

    /**
     * Returns a binder that binds a relative path to the file of that name. Spring's editor of paths prefers a resource
     * of the class path, so that the folder {@code schemas} would be the one of the built-in schemas.
     */
    static Binder binder(Environment environment) {
        return new Binder(
                ConfigurationPropertySources.get(environment),
                new PropertySourcesPlaceholdersResolver(environment),
                null,
                editors -> editors.registerCustomEditor(Path.class, new PropertyEditorSupport() {
                    @Override
                    public void setAsText(String text) {
                        setValue(Path.of(text));
                    }
                }));
    }

    /** Returns the names of the SSL bundles that the configuration defines. */
    public static Set<String> sslBundles(Environment environment) {
        Set<String> names = new HashSet<>();
        for (String kind : List.of("pem", "jks")) {
            Binder.get(environment)
                    .bind("spring.ssl.bundle." + kind, Bindable.mapOf(String.class, Object.class))
                    .ifBound(bundles -> names.addAll(bundles.keySet()));
        }
        return names;
    }
}
