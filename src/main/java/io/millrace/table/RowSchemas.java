package io.millrace.table;

import io.millrace.codec.RecordCodec;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;

/** Schemas of a table's rows, and the row for keys that the table does not contain. */
final class RowSchemas {

    private RowSchemas() {}

    /**
     * Returns the schema of rows that are stored as records: fields are absent as the schema of the records defines.
     */
    static Schema ofRecords(Schema records) {
        return new Schema(records.name(), records.recordLength(), List.copyOf(records.fields()), List.of());
    }

    /**
     * Returns the schema of rows that are converted from text, where every field but the key may be absent. A required
     * field gets a null flag, so that no value of its type means absent. An optional field is absent as the schema
     * defines.
     */
    static Schema ofTexts(Schema schema, String key) {
        List<Field> fields = new ArrayList<>();
        int offset = 0;
        for (Field field : schema.fields()) {
            boolean required = !field.optional() && !field.name().equals(key);
            Field placed = (required ? field.withNullFlag() : field).at(offset);
            fields.add(placed);
            offset = placed.end();
        }
        return new Schema(schema.name(), offset, fields, List.of());
    }

    /**
     * Returns the row for keys that the table does not contain. Its optional fields are absent; the bytes of its
     * required fields have no meaning.
     */
    static byte[] absentRow(Schema rows) {
        byte[] row = new byte[rows.recordLength()];
        RecordCodec.of(rows).codecs().forEach(codec -> codec.clear(row, 0));
        return row;
    }
}
