package io.millrace.store.region;

import io.millrace.schema.Schema;

/** Selects the stored form of records. Stateless. */
public final class StoredForms {

    private StoredForms() {}

    /** Returns the stored form of records of a region's schema. */
    public static StoredForm of(Schema stored) {
        return stored.layout().variesInLength()
                ? new VariedForm(stored.recordLength() - stored.foundLength())
                : new FixedForm(stored.recordLength());
    }
}
