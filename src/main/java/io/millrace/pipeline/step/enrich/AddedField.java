package io.millrace.pipeline.step.enrich;

import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field that an enrich step adds to records. It is optional if the table's field is optional, or if a record without
 * a matching row leaves it without a value. In the latter case alone it has a null flag, so that it can store every
 * value of the table's field.
 *
 * @param source the table's field
 * @param field the added field; its offset is set when a schema is extended by it
 * @param text its default as text, or null for none
 */
record AddedField(Field source, Field field, @Nullable String text) {

    /** @param text default as text, or null for none */
    static AddedField of(String name, Field source, OnMiss onMiss, @Nullable String text) {
        boolean absentOnMiss = onMiss == OnMiss.ABSENT || (onMiss == OnMiss.DEFAULT && text == null);
        Field named = source.as(name, 0);
        return new AddedField(source, !source.optional() && absentOnMiss ? named.withNullFlag() : named, text);
    }

    /** Returns the copy of the field from a table's row to a record's added fields. */
    Copy copy(int to, byte[] otherwise) {
        return new Copy(
                source.offset(), to, source.end() - source.offset(), field.nullFlag() && !source.nullFlag(), otherwise);
    }

    /**
     * Returns the bytes of the field for a record without a matching row, including the null flag: the default or,
     * without one, the absent value.
     *
     * @throws FieldValueException if the default is not a valid value of the field
     */
    byte[] otherwise() {
        byte[] bytes = new byte[field.end()];
        RecordCodec codec = RecordCodec.of(new Schema(field.name(), bytes.length, List.of(field), List.of()));
        if (text != null) {
            codec.codec(field.name()).setText(bytes, 0, text);
        } else {
            codec.codec(field.name()).clear(bytes, 0);
        }
        return bytes;
    }
}
