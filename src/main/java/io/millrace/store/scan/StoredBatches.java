package io.millrace.store.scan;

import io.millrace.schema.Schema;
import io.millrace.store.block.ColumnLayout;
import io.millrace.store.region.FixedForm;
import io.millrace.store.region.StoredForms;
import io.millrace.store.region.VariedForm;

/** Creates the batch that fits the stored form of records. Stateless. */
final class StoredBatches {

    private StoredBatches() {}

    /**
     * Returns the batch for a region's values.
     *
     * @param schema that expressions are compiled against: that of the stored records, if they vary in length possibly
     *     with fewer fields
     * @param query to evaluate on the records
     */
    static StoredBatch of(Schema schema, EncodedQuery query) {
        return switch (StoredForms.of(schema)) {
            case FixedForm _ -> new ColumnBatch(schema, ColumnLayout.of(schema), query);
            case VariedForm _ -> new RecordColumnBatch(schema, query);
        };
    }
}
