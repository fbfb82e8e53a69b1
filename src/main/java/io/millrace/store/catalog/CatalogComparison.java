package io.millrace.store.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares stored data with a configuration, name by name. */
public final class CatalogComparison {

    /** The effect that a start would have. */
    public enum Outcome {
        /** Nothing of this name is stored. */
        NEW("new"),
        SAME("same"),
        /** The stored data is used with the new definition. */
        MIGRATED("migrated"),
        /** The start is refused, or the pipeline of the measure fails. */
        REFUSED("refused"),
        /** Data is stored, but nothing of this name is configured. */
        NOT_CONFIGURED("not configured");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * The effect that a start would have on one name.
     *
     * @param details differences, or the action to take; may have several lines, or none
     */
    public record Verdict(String name, Outcome outcome, String details) {}

    private CatalogComparison() {}

    /**
     * Compares all names, in alphabetical order.
     *
     * @param configured definitions of data to be stored on disk, by name in the catalog
     */
    public static List<Verdict> between(Collection<CatalogEntry> stored, Map<String, StoredDefinition> configured) {
        Map<String, @Nullable CatalogEntry> all = new TreeMap<>();
        configured.keySet().forEach(name -> all.put(name, null));
        stored.forEach(entry -> all.put(entry.name(), entry));
        List<Verdict> verdicts = new ArrayList<>();
        all.forEach((name, entry) -> verdicts.add(verdict(name, entry, configured.get(name))));
        return verdicts;
    }

    private static Verdict verdict(String name, @Nullable CatalogEntry stored, @Nullable StoredDefinition configured) {
        if (stored == null) {
            return new Verdict(name, Outcome.NEW, "");
        }
        if (configured == null) {
            return new Verdict(name, Outcome.NOT_CONFIGURED, adoption(stored));
        }
        DefinitionChange change = DefinitionChange.between(stored.definition(), configured);
        if (change.isRefused() && stored.holdsData()) {
            return new Verdict(name, Outcome.REFUSED, Refusal.describe(name, stored.definition(), configured));
        }
        return change.isNone()
                ? new Verdict(name, Outcome.SAME, "")
                : new Verdict(name, Outcome.MIGRATED, String.join("\n", change.all()));
    }

    /** Returns the possible actions for data that is stored and not configured. */
    public static String adoption(CatalogEntry entry) {
        String remove = "remove it: millrace regions remove " + entry.name() + " CONFIG";
        StoredDefinition definition = entry.definition();
        if (definition.kind() == StoredDefinition.Kind.REGION && definition.schema() != null) {
            return definition + ". To query it, add it under millrace.regions with persistent: true and schema: "
                    + definition.schema().name() + "; or " + remove;
        }
        return definition + ". Configure it again, or " + remove;
    }
}
