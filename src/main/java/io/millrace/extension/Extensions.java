package io.millrace.extension;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of feeds, of steps, or of outputs, that a configuration can use. Immutable.
 *
 * @param <E> type of the kinds
 */
public final class Extensions<E extends Extension<?>> {

    private final String part;
    private final Map<String, E> byName = new LinkedHashMap<>();

    /**
     * @param part what the kinds are of: {@code feed}, {@code step} or {@code output}
     * @throws IllegalStateException if two kinds have the same name
     */
    public Extensions(String part, Collection<? extends E> extensions) {
        this.part = part;
        for (E extension : extensions) {
            if (byName.put(extension.name(), extension) != null) {
                throw new IllegalStateException("Duplicate kind of " + part + " '" + extension.name()
                        + "'. Register it once: as a bean or as a service.");
            }
        }
    }

    /**
     * Returns the built-in kinds, and those that libraries on the class path register as services.
     *
     * @param part what the kinds are of
     * @param service type of the kinds
     */
    @SuppressWarnings("unchecked") // a class literal has no type arguments
    public static <E extends Extension<?>> Extensions<E> installed(String part, Class<? super E> service) {
        List<E> extensions = new ArrayList<>();
        for (Object extension : ServiceLoader.load(service)) {
            extensions.add((E) extension);
        }
        return new Extensions<>(part, extensions);
    }

    /**
     * Returns these kinds and others.
     *
     * @throws IllegalStateException if two kinds have the same name
     */
    public Extensions<E> with(Collection<? extends E> others) {
        List<E> all = new ArrayList<>(byName.values());
        all.addAll(others);
        return new Extensions<>(part, all);
    }

    /** Returns all kinds, the built-in ones first. */
    public Collection<E> all() {
        return byName.values();
    }

    /** Returns the names of all kinds, the built-in ones first. */
    public Collection<String> names() {
        return byName.keySet();
    }

    /**
     * Returns the kind of a name, or null if there is none.
     *
     * @param name as in a configuration, where letter case and hyphens do not count
     */
    public @Nullable E named(String name) {
        return byName.values().stream()
                .filter(extension -> uniform(extension.name()).equals(uniform(name)))
                .findFirst()
                .orElse(null);
    }

    private static String uniform(String name) {
        return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }
}
