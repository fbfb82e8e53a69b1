package io.millrace.codec.layout;

import io.millrace.codec.RowUpgrade;
import io.millrace.schema.Schema;
import io.millrace.schema.SchemaDescription;
import io.millrace.schema.SchemaEvolution;
import java.util.Map;

/**
 * Rewrites stored records of one version of a schema as records of the next one. Immutable and thread-safe.
 *
 * @param rows upgrade of the whole record or, if records vary in length, of the fields that steps added to it
 * @param records upgrade of the record's own bytes if they vary in length
 */
public record RecordUpgrade(RowUpgrade rows, VariedUpgrade records) {

    /**
     * Returns the upgrade from one version to the next.
     *
     * @throws IllegalArgumentException if a description is not that of a schema
     */
    public static RecordUpgrade between(SchemaDescription stored, SchemaDescription next) {
        Schema from = stored.schema();
        Schema to = next.schema();
        Map<String, String> sources = SchemaEvolution.sources(stored, next);
        return from.layout().variesInLength()
                ? new RecordUpgrade(RowUpgrade.ofAdded(from, to, sources), VariedUpgrade.of(from, to, sources))
                : new RecordUpgrade(RowUpgrade.of(from, to, sources), VariedUpgrade.NONE);
    }

    /** Returns whether stored records are records of the next version as they are. */
    public boolean sameBytes() {
        return rows.sameBytes() && records == VariedUpgrade.NONE;
    }
}
