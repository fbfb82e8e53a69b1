package io.millrace.store.catalog;

import io.millrace.schema.SchemaDescription;
import io.millrace.schema.SchemaDifference;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The differences between the definition that data was stored under and the configured one. Immutable.
 *
 * @param refused differences that make the stored data unreadable, or change its meaning
 * @param migrated differences that the stored data can be used with
 */
public record DefinitionChange(List<String> refused, List<String> migrated) {

    /** Properties of a measure that do not affect its state. */
    private static final Set<String> IGNORED_FOR_MEASURES = Set.of("regions");

    /** Number of buckets of a region: a stored one can't be opened with another number. */
    private static final String BUCKETS = "buckets";

    private static final String LAYOUT = "layout";
    private static final String ENTRIES = "entries";

    public DefinitionChange {
        refused = List.copyOf(refused);
        migrated = List.copyOf(migrated);
    }

    /** Compares two definitions of one name. */
    public static DefinitionChange between(StoredDefinition stored, StoredDefinition configured) {
        List<String> refused = new ArrayList<>();
        List<String> migrated = new ArrayList<>();
        if (stored.kind() != configured.kind()) {
            refused.add(
                    stored.kind().phrase() + " is stored, " + configured.kind().phrase() + " is configured");
            return new DefinitionChange(refused, migrated);
        }
        Set<String> names = new LinkedHashSet<>(stored.properties().keySet());
        names.addAll(configured.properties().keySet());
        for (String name : names) {
            String before = stored.property(name);
            String now = configured.property(name);
            if (!Objects.equals(before, now)) {
                (isFixed(stored, name) ? refused : migrated)
                        .add(name + ": " + quoted(before) + " is stored, " + quoted(now) + " is configured");
            }
        }
        addSchema(stored.schema(), configured.schema(), refused, migrated);
        return new DefinitionChange(refused, migrated);
    }

    private static void addSchema(
            @Nullable SchemaDescription stored,
            @Nullable SchemaDescription configured,
            List<String> refused,
            List<String> migrated) {
        if (stored == null || configured == null) {
            return;
        }
        List<String> differences = SchemaDifference.between(stored, configured);
        differences.forEach(difference -> refused.add("schema: " + difference));
        if (differences.isEmpty()) {
            SchemaDifference.appended(stored, configured)
                    .forEach(name -> migrated.add("schema: field '" + name + "' was added, or got further texts"));
        }
        if (stored.sameBytes(configured) && !stored.equals(configured)) {
            migrated.add("schema: '" + stored.name() + "' is stored, '" + configured.name()
                    + "' is configured, with the same fields");
        }
    }

    private static boolean isFixed(StoredDefinition stored, String property) {
        return property.equals(BUCKETS)
                || switch (stored.kind()) {
                    case REGION ->
                        property.equals(LAYOUT) || (property.equals("key") && ENTRIES.equals(stored.property(LAYOUT)));
                    case MEASURE -> !IGNORED_FOR_MEASURES.contains(property);
                };
    }

    private static String quoted(@Nullable String value) {
        return value == null ? "none" : "'" + value + "'";
    }

    /** Returns whether the definitions are equal. */
    public boolean isNone() {
        return refused.isEmpty() && migrated.isEmpty();
    }

    /** Returns whether the stored data can't be used with the configured definition. */
    public boolean isRefused() {
        return !refused.isEmpty();
    }

    /** Returns all differences, refused ones first. */
    public List<String> all() {
        List<String> all = new ArrayList<>(refused);
        all.addAll(migrated);
        return all;
    }
}
