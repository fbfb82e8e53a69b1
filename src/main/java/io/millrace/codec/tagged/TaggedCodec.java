package io.millrace.codec.tagged;

import io.millrace.codec.Admission;
import io.millrace.codec.record.FieldLocator;
import io.millrace.codec.record.VaryingLengthCodec;
import io.millrace.schema.Schema;

/** Reads records of the tagged layout: finds their fields and writes them to rows. */
public final class TaggedCodec extends VaryingLengthCodec {

    private final Schema schema;

    /** @param schema schema of the tagged layout */
    public TaggedCodec(Schema schema) {
        this.schema = schema;
    }

    @Override
    public Admission admission() {
        return finder();
    }

    @Override
    public Admission finder() {
        return TaggedFinder.of(schema);
    }

    @Override
    public FieldLocator locator() {
        return TaggedFieldLocations.of(schema);
    }
}
