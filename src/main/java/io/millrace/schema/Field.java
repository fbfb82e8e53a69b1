package io.millrace.schema;

import java.io.Serializable;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A field of a record type. Nested groups and repeated elements are flattened: their fields are named by path, such as
 * {@code legs[1].amount}.
 *
 * @param name path, unique in its schema
 * @param type meaning of the bytes
 * @param offset offset of the first byte in the record
 * @param optional whether the field may be absent, which its null flag or {@link #nullRaw()} represents
 * @param nullRaw the stored number (float: bits of the value) that represents absent. Strings, bytes and addresses are
 *     absent if every byte is padding (strings) or zero. Not used for a field with a null flag
 * @param nullFlag whether a null flag follows the value, a byte that is 0 if the field has a value, which may be any of
 *     its type, and 1 if it is absent. The bytes of an absent value are padding (strings) or zero
 * @param constraint restriction of values beyond the type
 * @param label title of the field in text files
 * @param format pattern of dates and instants in text files, as of {@link java.time.format.DateTimeFormatter}; null is
 *     ISO 8601
 * @param digits path of the field that has the number of decimals with which views return a decimal, or its currency,
 *     which has such a number; null for those of the type
 */
@API(status = API.Status.STABLE)
public record Field(
        String name,
        FieldType type,
        int offset,
        boolean optional,
        long nullRaw,
        boolean nullFlag,
        Constraint constraint,
        String label,
        @Nullable String format,
        @Nullable String digits)
        implements Serializable {

    /** Creates a field without a null flag, and with the decimals of its type. */
    public Field(
            String name,
            FieldType type,
            int offset,
            boolean optional,
            long nullRaw,
            Constraint constraint,
            String label,
            @Nullable String format) {
        this(name, type, offset, optional, nullRaw, false, constraint, label, format, null);
    }

    /** Returns a required field without constraints, whose label is its name. */
    public static Field of(String name, FieldType type, int offset) {
        return new Field(name, type, offset, false, 0, Constraint.NONE, name, null);
    }

    /**
     * Returns this field as an optional one.
     *
     * @param absent raw value that represents absent
     */
    public Field asOptional(long absent) {
        return new Field(name, type, offset, true, absent, false, constraint, label, format, digits);
    }

    /** Returns this field as an optional one with a null flag: no value of its type represents absent. */
    public Field withNullFlag() {
        return new Field(name, type, offset, true, 0, true, constraint, label, format, digits);
    }

    /** Returns this field with another name, which is also its label, another offset, and the decimals of its type. */
    public Field as(String otherName, int otherOffset) {
        return new Field(
                otherName, type, otherOffset, optional, nullRaw, nullFlag, constraint, otherName, format, null);
    }

    /** Returns this field with another offset. */
    public Field at(int otherOffset) {
        return new Field(name, type, otherOffset, optional, nullRaw, nullFlag, constraint, label, format, digits);
    }

    /** Returns this field with texts in ISO 8601. */
    @API(status = API.Status.INTERNAL)
    public Field withoutFormat() {
        return new Field(name, type, offset, optional, nullRaw, nullFlag, constraint, label, null, digits);
    }

    /** Returns the offset of the null flag, or that of the first byte past the value if the field has none. */
    public int nullFlagAt() {
        return offset + type.bytes();
    }

    /** Returns the offset past the field, including its null flag. */
    public int end() {
        return nullFlagAt() + (nullFlag ? 1 : 0);
    }

    /**
     * Returns the raw value that represents absent by default: the smallest of a signed number, the largest of an
     * unsigned number, a NaN of a float.
     */
    public static long defaultNullRaw(FieldType type) {
        return switch (type) {
            case FieldType.Numbered numbered ->
                numbered.storage().signed()
                        ? numbered.storage().min()
                        : numbered.storage().max();
            case FieldType.FloatType floating ->
                floating.bytes() == 4
                        ? Integer.toUnsignedLong(Float.floatToRawIntBits(Float.NaN))
                        : Double.doubleToRawLongBits(Double.NaN);
            default -> 0;
        };
    }
}
