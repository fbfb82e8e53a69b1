package io.millrace.store.catalog;

import io.millrace.schema.SchemaDescription;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a region or a measure was stored as. Immutable.
 *
 * @param kind what it defines
 * @param properties by the names that the configuration gives them, without those that have no value; in order
 * @param schema of the stored records, of a measure that of its rows
 */
public record StoredDefinition(
        Kind kind, Map<String, String> properties, @Nullable SchemaDescription schema) {

    /** How names of measures begin in the catalog; no region has a slash in its name. */
    private static final String MEASURE = "measure/";

    /** What is defined. */
    public enum Kind {
        REGION("region", "a region of records"),
        MEASURE("measure", "a measure");

        private final String tag;
        private final String phrase;

        Kind(String tag, String phrase) {
            this.tag = tag;
            this.phrase = phrase;
        }

        /** The word in the catalog. */
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
    }

    /** The name of a measure in the catalog. */
    public static String measureName(String pipeline, String measure) {
        return MEASURE + pipeline + "." + measure;
    }

    /**
     * Returns whether a key is that of a state of a measure: of one partition, and of one instance where each has its
     * own.
     *
     * @param name in the catalog
     * @param key {@code PIPELINE#MEASURE[@INSTANCE]/PARTITION}, and behind it perhaps {@code /} and the number of a
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

    /** A property's value, or null where it has none. */
    public @Nullable String property(String name) {
        return properties.get(name);
    }

    /** All of it in one line. */
    @Override
    public String toString() {
        return kind.tag() + " "
                + properties.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(", "))
                + (schema == null ? "" : ", schema=" + schema);
    }
}
