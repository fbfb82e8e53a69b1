package io.millrace.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.schema.Constraint;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A schema of the fixed layout as JSON, for files that describe their own rows. Unlike a schema in YAML, it permits any
 * text as a field's name. Constraints and computed fields are left out.
 */
final class SchemaText {

    private static final JsonMapper JSON = JsonMapper.shared();

    private SchemaText() {}

    /** The JSON form of a schema. */
    private record Form(String schema, int length, List<FieldForm> fields) {}

    /** The JSON form of a field. Members that do not apply to its type are null. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record FieldForm(
            String name,
            int at,
            String type,
            int bytes,
            @Nullable String storage,
            @Nullable Integer scale,
            @Nullable TimeUnit unit,
            @Nullable Map<Integer, String> values,
            @Nullable Integer lastKept,
            @Nullable String charset,
            @Nullable Integer pad,
            @Nullable Boolean littleEndian,
            @Nullable Long absent,
            @Nullable Boolean nullFlag,
            String label,
            @Nullable String format) {}

    static String write(Schema schema) {
        return JSON.writeValueAsString(new Form(
                schema.name(),
                schema.recordLength(),
                schema.fields().stream().map(SchemaText::form).toList()));
    }

    private static FieldForm form(Field field) {
        FieldType type = field.type();
        return new FieldForm(
                field.name(),
                field.offset(),
                word(type),
                type.bytes(),
                type instanceof FieldType.Numbered numbered ? numbered.storage().toString() : null,
                type instanceof FieldType.DecimalType decimal ? decimal.scale() : null,
                type instanceof FieldType.InstantType instant ? instant.unit() : null,
                type instanceof FieldType.EnumType names ? names.dictionary().namesByCode() : null,
                type instanceof FieldType.EnumType names && names.dictionary().keepsUnknown()
                        ? names.dictionary().lastCode()
                        : null,
                type instanceof FieldType.StringType text ? text.charset().name() : null,
                type instanceof FieldType.StringType text ? (int) text.pad() : null,
                type instanceof FieldType.FloatType real ? real.order() == ByteOrder.LITTLE_ENDIAN : null,
                field.optional() && !field.nullFlag() ? field.nullRaw() : null,
                field.nullFlag() ? true : null,
                field.label(),
                field.format());
    }

    private static String word(FieldType type) {
        return switch (type) {
            case FieldType.IntegerType _ -> "integer";
            case FieldType.DecimalType _ -> "decimal";
            case FieldType.DateType _ -> "date";
            case FieldType.InstantType _ -> "instant";
            case FieldType.EnumType _ -> "enum";
            case FieldType.BooleanType _ -> "boolean";
            case FieldType.FloatType _ -> "float";
            case FieldType.StringType _ -> "string";
            case FieldType.BytesType _ -> "bytes";
            case FieldType.IpType _ -> "ip";
        };
    }

    /**
     * Reads a schema.
     *
     * @throws RuntimeException if {@link #write} did not produce the text
     */
    static Schema read(String text) {
        Form form = JSON.readValue(text, Form.class);
        return new Schema(
                form.schema(),
                form.length(),
                form.fields().stream().map(SchemaText::field).toList(),
                List.of());
    }

    private static Field field(FieldForm form) {
        Long absent = form.absent();
        boolean nullFlag = Boolean.TRUE.equals(form.nullFlag());
        return new Field(
                form.name(),
                type(form),
                form.at(),
                absent != null || nullFlag,
                absent == null ? 0 : absent,
                nullFlag,
                Constraint.NONE,
                form.label(),
                form.format(),
                null);
    }

    private static Dictionary dictionary(FieldForm form) {
        Dictionary dictionary = new Dictionary(new TreeMap<>(Objects.requireNonNull(form.values())));
        Integer lastKept = form.lastKept();
        return lastKept == null ? dictionary : dictionary.keeping(lastKept);
    }

    private static FieldType type(FieldForm form) {
        return switch (form.type()) {
            case "integer" -> new FieldType.IntegerType(storage(form));
            case "decimal" -> new FieldType.DecimalType(storage(form), Objects.requireNonNull(form.scale()));
            case "date" -> new FieldType.DateType(storage(form));
            case "instant" -> new FieldType.InstantType(storage(form), Objects.requireNonNull(form.unit()));
            case "enum" -> new FieldType.EnumType(storage(form), dictionary(form));
            case "boolean" -> new FieldType.BooleanType(storage(form));
            case "float" ->
                new FieldType.FloatType(
                        form.bytes(),
                        Boolean.TRUE.equals(form.littleEndian()) ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
            case "string" ->
                new FieldType.StringType(
                        form.bytes(),
                        Charset.forName(Objects.requireNonNull(form.charset())),
                        Objects.requireNonNull(form.pad()).byteValue());
            case "bytes" -> new FieldType.BytesType(form.bytes());
            case "ip" -> new FieldType.IpType(form.bytes());
            default -> throw new IllegalArgumentException("Unknown type '" + form.type() + "'.");
        };
    }

    private static IntStorage storage(FieldForm form) {
        return IntStorage.parse(Objects.requireNonNull(form.storage()));
    }
}
