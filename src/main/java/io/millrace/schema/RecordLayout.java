package io.millrace.schema;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a record's bytes: what a {@link Schema} knows of its records, per layout. Immutable.
 *
 * <p>{@code io.millrace.codec.layout.LayoutCodecs} returns what reads the bytes. Only these two packages distinguish
 * layouts; all other code uses the methods of this class, so that it works with any layout.
 */
public abstract sealed class RecordLayout implements Serializable permits CompactLayout, FixedLayout, TaggedLayout {

    /**
     * Maximum length in bytes of a record in a layout whose records vary in length: no datagram is longer, and stored
     * lengths have two bytes.
     */
    public static final int MAX_VARYING_LENGTH = 0xFFFF;

    private static final long serialVersionUID = 1;

    RecordLayout() {}

    /** Returns the name in schemas and messages, such as {@code tagged}. */
    public abstract String name();

    /**
     * Returns whether records differ in length. If so, each record needs a frame, and a pass over it writes its fields
     * to a row, which {@link Schema#project} shortens. If not, every field has an offset in the record.
     */
    public abstract boolean variesInLength();

    /** Returns whether records can have parts that contain others and repeat, as JSON objects do. */
    public boolean nests() {
        return false;
    }

    /** Returns the maximum length of a record in bytes. */
    public abstract int maxLength();

    /** Returns where a record contains a field, such as {@code 26.10415/22}, or null if the field has an offset. */
    public abstract @Nullable String path(String field);

    /**
     * Returns what determines the value of a field in a record and which records are readable, in addition to its name
     * and type and to what {@link #toString} covers; empty if nothing does. The text must not change, because stored
     * blocks depend on it.
     */
    String source(String field) {
        return "";
    }

    /**
     * Returns the names of the values that a record has on its outermost level, in the order of the schema: fields, and
     * parts that contain others.
     */
    abstract List<String> outerNames(Schema schema);

    /**
     * Returns whether a name is that of a part that contains others, such as {@code party} or {@code legs}. As a wanted
     * name of {@link Schema#project}, it means everything in the part.
     */
    public boolean isPart(String name) {
        return false;
    }

    /**
     * Returns the parts of records that do not repeat, by path, each with the name of the row field that says whether
     * it, or the part that contains it, is there; empty if it always is.
     */
    public Map<String, String> presences() {
        return Map.of();
    }

    /** Returns the schema of records without added fields. */
    abstract Schema schema(String schemaName, List<VirtualField> virtualFields);

    /** Implements {@link Schema#project}. */
    abstract Schema project(Schema schema, Set<String> wanted);

    /** Implements {@link Schema#stored}. */
    abstract Schema stored(Schema schema);

    /**
     * Returns the form of stored records. The text begins with the {@linkplain #name name} and must not change, because
     * fingerprints depend on it.
     */
    @Override
    public abstract String toString();
}
