package io.millrace.store.geode.admin;

import io.millrace.schema.NearestName;
import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.catalog.StoredDefinition.Kind;
import io.millrace.store.error.NotStoredException;
import io.millrace.store.geode.shared.SharedMap;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds and removes the data that belongs to a region or measure. */
final class Removal {

    /** No pipeline has this name, because pipeline names contain no exclamation mark. */
    static final WriterName TOOL = WriterName.of("regions-remove!", 0);

    private Removal() {}

    /**
     * Returns the names that must be removed together with one: rows and alerts of a measure are numbered by its state,
     * so a region that still contained the old ones would accept no new ones.
     */
    static List<String> of(String name, Collection<CatalogEntry> entries) {
        Set<String> names = entries.stream().map(CatalogEntry::name).collect(Collectors.toSet());
        if (!names.contains(name)) {
            throw new NotStoredException("Nothing is stored under the name '" + name + "'." + hint(name, names));
        }
        Set<String> ofOthers = entries.stream()
                .filter(entry -> !entry.name().equals(name))
                .flatMap(Removal::regions)
                .collect(Collectors.toSet());
        List<String> removed = new ArrayList<>();
        entries.stream()
                .filter(entry -> entry.name().equals(name))
                .flatMap(Removal::regions)
                .filter(region -> names.contains(region) && !ofOthers.contains(region))
                .forEach(removed::add);
        // Removed last, so that an interrupted removal can be repeated.
        removed.add(name);
        return removed;
    }

    private static String hint(String name, Set<String> names) {
        String nearest = NearestName.hint(name, names);
        return nearest.isEmpty() ? " Stored are: " + names.stream().sorted().toList() : nearest;
    }

    private static Stream<String> regions(CatalogEntry entry) {
        String regions = entry.definition().property("regions");
        return entry.definition().kind() != Kind.MEASURE || regions == null
                ? Stream.empty()
                : Stream.of(regions.split(", "));
    }

    /** Removes the states of a measure. */
    static void removeStates(SharedMap<byte[]> states, String measure, Term term) {
        for (String key : states.keys()) {
            if (StoredDefinition.isStateKey(measure, key)) {
                states.remove(key, term);
            }
        }
    }
}
