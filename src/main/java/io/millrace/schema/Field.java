package io.millrace.schema;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * One field of a record type. Nested groups and repeating elements are laid flat: their fields are named by path, such
 * as {@code legs[1].amount}.
 *
 * @param name path, unique in its schema
 * @param type what the bytes mean
 * @param offset first byte, counted from the start of the record
 * @param optional whether the field may be absent: then either its null flag or {@link #nullRaw()} stands for "no
 *     value"
 * @param nullRaw the stored number (float: bits of the value) that stands for absent; strings, bytes and addresses are
 *     absent when every byte is padding (strings) or zero; without meaning for a field with a null flag
 * @param nullFlag whether one more byte follows the value, the null flag: 0 where the field has a value, which may be
 *     any of its type, and 1 where it is absent; the bytes of an absent value are padding (strings) or zero
 * @param constraint what a value must satisfy beyond its type
 * @param label how the field is headed in text files
 * @param format pattern of dates and instants in text files, as of {@link java.time.format.DateTimeFormatter}; null is
 *     ISO 8601
 */
public record Field(
        String name,
        FieldType type,
        int offset,
        boolean optional,
        long nullRaw,
        boolean nullFlag,
        Constraint constraint,
        String label,
        @Nullable String format)
        implements Serializable {

    /** A field without a null flag. */
    public Field(
            String name,
            FieldType type,
            int offset,
            boolean optional,
            long nullRaw,
            Constraint constraint,
            String label,
            @Nullable String format) {
        this(name, type, offset, optional, nullRaw, false, constraint, label, format);
    }

    /** A required field without constraints, labelled by its name. */
    public static Field of(String name, FieldType type, int offset) {
        return new Field(name, type, offset, false, 0, Constraint.NONE, name, null);
    }

    /** The same field, able to be absent, with the raw value that says so. */
    public Field asOptional(long absent) {
        return new Field(name, type, offset, true, absent, constraint, label, format);
    }

    /** The same field, able to be absent, with a null flag: no value of its type stands for absent. */
    public Field withNullFlag() {
        return new Field(name, type, offset, true, 0, true, constraint, label, format);
    }

    /** The same field under another name at another place. */
    public Field as(String otherName, int otherOffset) {
        return new Field(otherName, type, otherOffset, optional, nullRaw, nullFlag, constraint, otherName, format);
    }

    /** The same field at another place. */
    public Field at(int otherOffset) {
        return new Field(name, type, otherOffset, optional, nullRaw, nullFlag, constraint, label, format);
    }

    /** Offset of the null flag; that of the first byte past the value where the field has none. */
    public int nullFlagAt() {
        return offset + type.bytes();
    }

    /** First byte past the field, its null flag included. */
    public int end() {
        return nullFlagAt() + (nullFlag ? 1 : 0);
    }

    /**
     * The raw value that stands for absent unless a schema names another: the smallest of a signed number, the largest
     * of an unsigned one, a NaN of a float.
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
