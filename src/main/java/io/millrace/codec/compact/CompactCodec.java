package io.millrace.codec.compact;

import io.millrace.codec.Admission;
import io.millrace.codec.record.FieldLocator;
import io.millrace.codec.record.VaryingLengthCodec;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.Schema;

/** Reads records of the compact layout: finds their values and elements and writes them to rows. */
public final class CompactCodec extends VaryingLengthCodec {

    private final Schema schema;

    /** @param schema schema of the compact layout */
    public CompactCodec(Schema schema) {
        this.schema = schema;
    }

    @Override
    public Admission admission() {
        return CompactFinder.admission(schema);
    }

    @Override
    public Admission finder() {
        return CompactFinder.of(schema);
    }

    @Override
    public Admission deferringFinder() {
        return CompactFinder.deferring(schema);
    }

    @Override
    public FieldLocator locator() {
        return new CompactLocations((CompactLayout) schema.layout());
    }

    @Override
    public PartReader part(String name) {
        return CompactPartReader.of(schema, name);
    }
}
