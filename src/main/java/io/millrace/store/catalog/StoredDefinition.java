package io.millrace.store.catalog;

import io.millrace.schema.evolution.SchemaDescription;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The definition that a region or a measure was stored under. Immutable.
 *
 * @param kind of the definition
 * @param properties by their names in the configuration, without those that have no value; in order
 * @param schema of the stored records, of a measure that of its rows
 * @param history earlier versions of the schema with which stored records may have been written, oldest first
 */
public record StoredDefinition(
        Kind kind,
        Map<String, String> properties,
        @Nullable SchemaDescription schema,
        List<SchemaDescription> history) {

    /** Prefix of the names of measures in the catalog; no region name contains a slash. */
    private static final String MEASURE = "measure/";

    /** The kind of a definition. */
    public enum Kind {
        REGION("region", "a region of records"),
        MEASURE("measure", "a measure");

        private final String tag;
        private final String phrase;

        Kind(String tag, String phrase) {
            this.tag = tag;
            this.phrase = phrase;
        }

        /** Returns the name in the catalog. */
        public String tag() {
            return tag;
        }

        String phrase() {
            return phrase;
        }

        static Kind of(String tag) {
            for (Kind kind : values()) {
                if (kind.tag.equals(tag)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("Unknown kind '" + tag + "' of a definition.");
        }
    }

    public StoredDefinition {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        history = List.copyOf(history);
    }

    /** Creates a definition of data that was stored with one version of its schema. */
    public StoredDefinition(Kind kind, Map<String, String> properties, @Nullable SchemaDescription schema) {
        this(kind, properties, schema, List.of());
    }

    /**
     * Returns this definition as the next one of stored data: the version of the schema that is stored becomes part of
     * the history, unless it is the same.
     */
    public StoredDefinition after(StoredDefinition stored) {
        List<SchemaDescription> versions = new ArrayList<>(stored.history);
        SchemaDescription before = stored.schema;
        if (before != null && schema != null && !before.sameBytes(schema)) {
            versions.add(before);
        }
        return new StoredDefinition(kind, properties, schema, versions);
    }

    /** Returns this definition with other earlier versions of the schema, oldest first. */
    public StoredDefinition withHistory(List<SchemaDescription> versions) {
        return new StoredDefinition(kind, properties, schema, versions);
    }

    /** Returns this definition without earlier versions of the schema. */
    public StoredDefinition withoutHistory() {
        return new StoredDefinition(kind, properties, schema);
    }

    /** Returns whether a definition has an earlier version of the schema, with which records were stored. */
    public boolean isAfter(StoredDefinition other) {
        return schema != null && other.schema != null && !schema.sameBytes(other.schema) && version(other.schema) > 0;
    }

    /**
     * Returns the number, from 1, of an earlier version of the schema with which the same bytes mean the same; 0 if
     * there is none.
     */
    int version(SchemaDescription other) {
        for (int i = history.size(); i > 0; i--) {
            if (history.get(i - 1).sameBytes(other)) {
                return i;
            }
        }
        return 0;
    }

    /** Returns the name of a measure in the catalog. */
    public static String measureName(String pipeline, String measure) {
        return MEASURE + pipeline + "." + measure;
    }

    /**
     * Returns whether a key is that of a state of a measure: of one partition, and of one instance if each has its own.
     *
     * @param name in the catalog
     * @param key {@code PIPELINE#MEASURE[@INSTANCE]/PARTITION}, possibly followed by {@code /} and the number of a
     *     piece
     */
    public static boolean isStateKey(String name, String key) {
        int end = name.lastIndexOf('.');
        String prefix = name.substring(MEASURE.length(), end) + "#" + name.substring(end + 1);
        return key.startsWith(prefix + "/") || key.startsWith(prefix + "@");
    }

    /** Returns whether a name is that of a measure of a pipeline. */
    public static boolean isOfPipeline(String name, String pipeline) {
        return name.startsWith(MEASURE + pipeline + ".");
    }

    /** Returns a property's value, or null if it has none. */
    public @Nullable String property(String name) {
        return properties.get(name);
    }

    /** Returns the whole definition in one line. */
    @Override
    public String toString() {
        return kind.tag() + " "
                + properties.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(", "))
                + (schema == null ? "" : ", schema=" + schema)
                + (history.isEmpty() ? "" : ", version " + (history.size() + 1));
    }
}
