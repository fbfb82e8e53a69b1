package io.millrace.codec.layout;

import io.millrace.codec.compact.CompactCodec;
import io.millrace.codec.record.LayoutCodec;
import io.millrace.codec.tagged.TaggedCodec;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.FixedLayout;
import io.millrace.schema.Schema;
import io.millrace.schema.TaggedLayout;

/** The only place outside the packages of the layouts that distinguishes them. */
public final class LayoutCodecs {

    private LayoutCodecs() {}

    /** Returns what reads the records of a schema. */
    public static LayoutCodec of(Schema schema) {
        return switch (schema.layout()) {
            case CompactLayout _ -> new CompactCodec(schema);
            case FixedLayout _ -> new FixedCodec(schema);
            case TaggedLayout _ -> new TaggedCodec(schema);
        };
    }
}
