package io.millrace.codec.layout;

import io.millrace.codec.compact.upgrade.CompactUpgrade;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.DescriptionReader;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.schema.evolution.SchemaEvolution;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites stored records of one version of a schema as records of the next one. Immutable and thread-safe.
 *
 * @param rows upgrade of the whole record or, if records vary in length, of the fields that steps added to it
 * @param compact upgrade of the record's own bytes; null if they are the same in both versions, as in the tagged layout
 */
public record RecordUpgrade(RowUpgrade rows, @Nullable CompactUpgrade compact) {

    /**
     * Returns the upgrade from one version to the next.
     *
     * @throws IllegalArgumentException if a description is not that of a schema, or stored values might change
     */
    public static RecordUpgrade between(SchemaDescription stored, SchemaDescription next) {
        Schema from = DescriptionReader.read(stored);
        Schema to = DescriptionReader.read(next);
        Map<String, String> sources = SchemaEvolution.sources(stored, next);
        if (!from.layout().variesInLength()) {
            return new RecordUpgrade(RowUpgrade.of(from, to, sources), null);
        }
        CompactUpgrade compact =
                from.layout() instanceof CompactLayout one && to.layout() instanceof CompactLayout other
                        ? CompactUpgrade.of(one, other, sources)
                        : null;
        return new RecordUpgrade(
                RowUpgrade.ofAdded(from, to, sources), compact == null || compact.sameBytes() ? null : compact);
    }

    /** Returns whether stored records are records of the next version as they are. */
    public boolean sameBytes() {
        return rows.sameBytes() && compact == null;
    }
}
