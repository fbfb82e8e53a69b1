package io.millrace.expression;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.schema.CompactPart;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.Locale;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The position of a field in the records of a pipeline.
 *
 * @param name path of the field
 * @param type the type and storage of the field, such as {@code decimal2 i64}
 * @param optional whether the field may be absent
 * @param added whether the field is in the area that steps add to a record, and not in the record of the feed
 * @param offset offset in bytes from the start of the record or of the added area
 * @param bytes width in bytes
 * @param element the element of a tagged record that contains the field, such as {@code 26.10415/22}, or the repeating
 *     part in whose rows the field is, such as {@code legs[]}; else null
 */
@API(status = API.Status.STABLE)
public record FieldPlace(
        String name,
        String type,
        boolean optional,
        boolean added,
        int offset,
        int bytes,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String element) {

    /** Returns the position of a field of this schema. */
    public static FieldPlace of(Field field, Schema schema) {
        for (RepeatedGroup group : schema.groups()) {
            if (group.field(field.name()) != null) {
                return new FieldPlace(
                        field.name(),
                        describe(field.type()),
                        field.optional(),
                        true,
                        field.offset(),
                        field.type().bytes(),
                        group.path());
            }
        }
        boolean added = schema.isAdded(field);
        return new FieldPlace(
                field.name(),
                describe(field.type()),
                field.optional(),
                added,
                added ? field.offset() - schema.baseLength() : field.offset(),
                field.type().bytes(),
                schema.layout().path(field.name()));
    }

    /** Returns the position of the rows of a repeating part: their length in bytes, and no offset. */
    static FieldPlace of(RepeatedGroup group) {
        return new FieldPlace(group.path(), "elements", false, true, 0, group.rowLength(), group.path());
    }

    /** Returns the position as documents show it: that of a group instead of the byte that says whether it is there. */
    @API(status = API.Status.INTERNAL)
    public FieldPlace shown() {
        return CompactPart.isPresence(name)
                ? new FieldPlace(name.substring(0, name.length() - 1), "group", true, added, offset, bytes, element)
                : this;
    }

    private static String describe(FieldType type) {
        return switch (type) {
            case FieldType.IntegerType(var storage) -> storage.toString();
            case FieldType.DecimalType(var storage, int scale) -> "decimal" + scale + " " + storage;
            case FieldType.DateType(var storage) -> "date " + storage;
            case FieldType.InstantType(var storage, var unit) ->
                "instant_" + unit.name().toLowerCase(Locale.ROOT) + " " + storage;
            case FieldType.EnumType(var storage, var ignoredDictionary) -> "enum " + storage;
            case FieldType.BooleanType(var storage) -> "boolean " + storage;
            case FieldType.FloatType(int bytes, var ignoredOrder) -> "f" + 8 * bytes;
            case FieldType.StringType(var ignoredBytes, var charset, var ignoredPad) -> "string " + charset;
            case FieldType.BytesType _ -> "bytes";
            case FieldType.IpType(int bytes) -> bytes == 4 ? "ipv4" : "ipv6";
        };
    }
}
