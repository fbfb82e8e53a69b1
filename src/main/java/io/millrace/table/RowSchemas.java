package io.millrace.table;

import io.millrace.codec.RecordCodec;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;

/** Schemas of a table's rows, and the row that stands for a key that the table does not hold. */
final class RowSchemas {

    private RowSchemas() {}

    /** Rows whose bytes are records: fields are absent as the schema of the records says. */
    static Schema ofRecords(Schema records) {
        return new Schema(records.name(), records.recordLength(), List.copyOf(records.fields()), List.of());
    }

    /**
     * Rows that are made from texts, where every field but the key may be absent. A field that the schema requires has
     * a null flag, so that no value of its type stands for absent; one that is optional is absent as the schema says.
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
     * The row that stands for a key that the table does not hold: fields that can be absent are; the bytes of the
     * others mean nothing.
     */
    static byte[] absentRow(Schema rows) {
        byte[] row = new byte[rows.recordLength()];
        RecordCodec.of(rows).codecs().forEach(codec -> codec.clear(row, 0));
        return row;
    }
}
