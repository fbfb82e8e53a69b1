package io.millrace.pipeline.definition;

import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.pipeline.definition.StepDefinition.EnrichDefinition;
import io.millrace.pipeline.definition.StepDefinition.OnMiss;
import io.millrace.pipeline.definition.StepPlan.Copy;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field that enrich adds to records. It can be absent where the table's field can, and where a table that holds no
 * row for a record leaves it without a value. Where only the latter is so, it has a null flag, so that it takes every
 * value that the table's field takes.
 *
 * @param source the table's field
 * @param field the added one; its place is set when a schema is extended by it
 * @param text its default as text, null where it has none
 */
record AddedField(Field source, Field field, @Nullable String text) {

    static AddedField of(String name, Field source, EnrichDefinition enrich) {
        String text = enrich.defaults().get(name);
        boolean absentOnMiss = enrich.onMiss() == OnMiss.ABSENT || (enrich.onMiss() == OnMiss.DEFAULT && text == null);
        Field named = source.as(name, 0);
        return new AddedField(source, !source.optional() && absentOnMiss ? named.withNullFlag() : named, text);
    }

    /** The field's way from a table's row to its place among a record's added fields. */
    Copy copy(int to, byte[] otherwise) {
        return new Copy(
                source.offset(), to, source.end() - source.offset(), field.nullFlag() && !source.nullFlag(), otherwise);
    }

    /**
     * The field's bytes, null flag included, where there is no row: its default or, without one, absent.
     *
     * @throws FieldValueException where the default is no value of the field
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
