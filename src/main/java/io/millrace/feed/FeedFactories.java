package io.millrace.feed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The kinds of feeds that a configuration can use. Immutable. */
public final class FeedFactories {

    private final Map<String, FeedFactory<?>> byName = new LinkedHashMap<>();

    private FeedFactories(Iterable<? extends FeedFactory<?>> factories) {
        for (FeedFactory<?> factory : factories) {
            if (byName.put(factory.name(), factory) != null) {
                throw new IllegalStateException("Duplicate kind of feed '" + factory.name()
                        + "'. Register it once: as a bean or as a service.");
            }
        }
    }

    /** Returns the built-in kinds, and those that libraries on the class path register as services. */
    @SuppressWarnings("rawtypes") // a class literal has no type arguments
    public static FeedFactories installed() {
        List<FeedFactory<?>> factories = new ArrayList<>();
        for (FeedFactory factory : ServiceLoader.load(FeedFactory.class)) {
            factories.add(factory);
        }
        return new FeedFactories(factories);
    }

    /**
     * Returns these kinds and others.
     *
     * @throws IllegalStateException if two kinds have the same name
     */
    public FeedFactories with(Collection<? extends FeedFactory<?>> others) {
        List<FeedFactory<?>> all = new ArrayList<>(byName.values());
        all.addAll(others);
        return new FeedFactories(all);
    }

    /** Returns all kinds, the built-in ones first. */
    public Collection<FeedFactory<?>> all() {
        return byName.values();
    }

    /**
     * Returns the kind of a name, or null if there is none.
     *
     * @param name as in a configuration, where letter case and hyphens do not count
     */
    public @Nullable FeedFactory<?> named(String name) {
        return byName.values().stream()
                .filter(factory -> uniform(factory.name()).equals(uniform(name)))
                .findFirst()
                .orElse(null);
    }

    private static String uniform(String name) {
        return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }
}
