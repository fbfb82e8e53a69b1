package io.millrace.store.catalog;

import io.millrace.codec.layout.RecordUpgrade;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.schema.evolution.SchemaDifference;
import io.millrace.schema.evolution.SchemaEvolution;
import io.millrace.store.catalog.StoredDefinition.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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

    private static final String KEY = "key";
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
        addSchema(stored, configured, refused, migrated);
        return new DefinitionChange(refused, migrated);
    }

    private static void addSchema(
            StoredDefinition stored, StoredDefinition configured, List<String> refused, List<String> migrated) {
        SchemaDescription before = stored.schema();
        SchemaDescription now = configured.schema();
        if (before == null || now == null) {
            return;
        }
        int older = before.sameBytes(now) ? 0 : stored.version(now);
        if (older > 0) {
            refused.add("schema: version " + older + " of " + (stored.history().size() + 1)
                    + " is configured, and records of later versions are stored");
        } else if (stored.kind() == Kind.MEASURE) {
            // A state contains the bytes of keys and values, without their schema.
            SchemaDifference.between(before, now).forEach(difference -> refused.add("schema: " + difference));
        } else {
            SchemaEvolution evolution = SchemaEvolution.between(before, now);
            if (!before.sameBytes(now) && evolution.isAccepted() && ENTRIES.equals(stored.property(LAYOUT))) {
                addEntries(stored, before, now, refused);
            }
            evolution.refused().forEach(change -> refused.add("schema: " + change));
            evolution.accepted().forEach(change -> migrated.add("schema: " + change));
        }
        if (before.sameBytes(now) && !before.name().equals(now.name())) {
            migrated.add("schema: '" + before.name() + "' is stored, '" + now.name()
                    + "' is configured, with the same fields");
        }
    }

    /** What blocks can be read with, but entries can't: their keys stay, and they have no header. */
    private static void addEntries(
            StoredDefinition stored, SchemaDescription before, SchemaDescription now, List<String> refused) {
        if (before.recordLength() == 0 && !RecordUpgrade.between(before, now).sameBytes()) {
            refused.add("schema: entries of records that vary in length have no version, and these changes alter their"
                    + " bytes");
        }
        Map<String, String> sources = SchemaEvolution.sources(before, now);
        for (String key : keys(stored.property(KEY))) {
            if (!SchemaEvolution.describes(before, key) && !SchemaEvolution.describes(now, key)) {
                continue; // a field of tagged records, which each version reads from the same bytes
            }
            if (!key.equals(sources.get(key))) {
                refused.add("schema: key field '" + key + "' was renamed or removed");
            } else if (!SchemaEvolution.hasSameNames(before, now, key)) {
                refused.add("schema: names of key field '" + key + "' changed, which are part of stored keys");
            }
        }
    }

    private static List<String> keys(@Nullable String property) {
        return property == null ? List.of() : List.of(property.split(", "));
    }

    private static boolean isFixed(StoredDefinition stored, String property) {
        return property.equals(BUCKETS)
                || switch (stored.kind()) {
                    case REGION ->
                        property.equals(LAYOUT) || (property.equals(KEY) && ENTRIES.equals(stored.property(LAYOUT)));
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
