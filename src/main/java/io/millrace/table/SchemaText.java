package io.millrace.table;

import io.millrace.schema.Constraint;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.DescriptionReader;
import io.millrace.schema.evolution.SchemaDescription;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A schema of the fixed layout as JSON, for files that describe their own rows: the description of its bytes, and what
 * that leaves out of its fields. Unlike a schema in YAML, it permits any text as a field's name. Constraints and
 * computed fields are left out.
 *
 * @param schema description of the bytes
 * @param fields fields in display order
 */
record SchemaText(SchemaDescription schema, List<FieldText> fields) {

    private static final JsonMapper JSON = JsonMapper.shared();

    /**
     * A field, without its bytes.
     *
     * @param lastKept largest code without a name that an enum keeps; null for other types and if it keeps none
     */
    record FieldText(
            String name,
            String label,
            @Nullable String format,
            @Nullable Integer lastKept) {

        private static FieldText of(Field field) {
            return new FieldText(
                    field.name(),
                    field.label(),
                    field.format(),
                    field.type() instanceof FieldType.EnumType(IntStorage _, Dictionary names) && names.keepsUnknown()
                            ? names.lastCode()
                            : null);
        }

        private Field in(Schema described) {
            Field field = Objects.requireNonNull(described.field(name));
            return new Field(
                    name,
                    type(field.type()),
                    field.offset(),
                    field.optional(),
                    field.nullRaw(),
                    field.nullFlag(),
                    Constraint.NONE,
                    label,
                    format,
                    null);
        }

        /** Returns the type with the codes that it keeps, where that of a description keeps all. */
        private FieldType type(FieldType described) {
            if (!(described instanceof FieldType.EnumType(IntStorage storage, Dictionary names))) {
                return described;
            }
            Dictionary strict = new Dictionary(names.namesByCode());
            return new FieldType.EnumType(storage, lastKept == null ? strict : strict.keeping(lastKept));
        }
    }

    static String write(Schema schema) {
        return JSON.writeValueAsString(new SchemaText(
                SchemaDescription.of(schema),
                schema.fields().stream().map(FieldText::of).toList()));
    }

    /**
     * Reads a schema.
     *
     * @throws RuntimeException if {@link #write} did not produce the text
     */
    static Schema read(String text) {
        SchemaText form = JSON.readValue(text, SchemaText.class);
        Schema described = DescriptionReader.read(form.schema());
        return new Schema(
                described.name(),
                described.recordLength(),
                form.fields().stream().map(field -> field.in(described)).toList(),
                List.of());
    }
}
