package io.millrace.web.page;

import io.millrace.codec.FieldBytes;
import io.millrace.codec.tagged.TaggedFieldLocations;
import io.millrace.pipeline.tap.Tap.Tapped;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.store.query.StoredRecords;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts records of a tap to events. Not thread-safe. */
final class TapDecoder {

    private final StoredRecords records;
    private final @Nullable TaggedFieldLocations places;
    private final List<FieldBytes> fields;
    private final List<FieldBytes> addedFields;
    private final int baseLength;
    private final int addedLength;

    /** @param schema of the tap's point */
    TapDecoder(Schema schema) {
        records = StoredRecords.of(schema.stored());
        places = schema.tagged() == null ? null : TaggedFieldLocations.of(schema);
        int foundLength = schema.foundLength();
        fields = schema.fields().stream()
                .filter(field -> field.offset() < foundLength)
                .map(field -> place(field, 0))
                .toList();
        addedFields = schema.fields().stream()
                .filter(field -> field.offset() >= foundLength)
                .map(field -> place(field, foundLength))
                .toList();
        baseLength = schema.baseLength();
        addedLength = schema.recordLength() - foundLength;
    }

    private static FieldBytes place(Field field, int start) {
        return new FieldBytes(field.name(), field.offset() - start, field.type().bytes());
    }

    TapEvent decode(Tapped tapped) {
        byte[] stored = tapped.stored();
        // Added fields are stored behind a record of the fixed layout, and before one of the tagged layout.
        int recordStart = places == null ? 0 : addedLength;
        int recordEnd = places == null ? baseLength : stored.length;
        int addedStart = places == null ? baseLength : 0;
        HexFormat hex = HexFormat.of();
        return new TapEvent(
                tapped.time(),
                tapped.passed(),
                records.decode(stored, 0),
                hex.formatHex(stored, recordStart, recordEnd),
                places == null ? fields : places.find(stored, recordStart, recordEnd),
                addedFields.isEmpty()
                        ? null
                        : new TapEvent.Added(hex.formatHex(stored, addedStart, addedStart + addedLength), addedFields));
    }
}
