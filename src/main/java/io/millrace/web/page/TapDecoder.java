package io.millrace.web.page;

import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.codec.record.FieldBytes;
import io.millrace.codec.record.FieldLocator;
import io.millrace.pipeline.tap.Tap.Tapped;
import io.millrace.schema.Schema;
import io.millrace.store.query.NoResultException;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.StoredForms;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts records of a tap to events. Not thread-safe. */
final class TapDecoder {

    private final StoredRecords records;
    private final FieldLocator locator;
    private final List<FieldBytes> addedFields;
    private final int addedLength;
    private final int prefixLength;

    /** @param schema of the tap's point */
    TapDecoder(Schema schema) {
        records = StoredRecords.of(schema.stored());
        locator = LayoutCodecs.of(schema).locator();
        int foundLength = schema.foundLength();
        addedFields = schema.fields().stream()
                .filter(field -> field.offset() >= foundLength)
                .map(field -> new FieldBytes(
                        field.name(), field.offset() - foundLength, field.type().bytes()))
                .toList();
        addedLength = schema.recordLength() - foundLength;
        prefixLength = StoredForms.of(schema.stored()).prefixLength();
    }

    /** Returns the values; none if they would take too much memory. */
    private Map<String, @Nullable Object> values(byte[] stored) {
        try {
            return records.decode(stored, 0);
        } catch (NoResultException _) {
            return Map.of();
        }
    }

    TapEvent decode(Tapped tapped) {
        byte[] stored = tapped.stored();
        int recordEnd = prefixLength + stored.length - addedLength;
        int addedStart = prefixLength == 0 ? recordEnd : 0;
        HexFormat hex = HexFormat.of();
        return new TapEvent(
                tapped.time(),
                tapped.passed(),
                values(stored),
                hex.formatHex(stored, prefixLength, recordEnd),
                locator.find(stored, prefixLength, recordEnd),
                addedFields.isEmpty()
                        ? null
                        : new TapEvent.Added(hex.formatHex(stored, addedStart, addedStart + addedLength), addedFields));
    }
}
