package io.millrace.expression.range;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.nio.ByteOrder;

/**
 * A condition on a single field, stored as the set of the field's numbers for which it holds. If a number represents
 * the absent value, the set contains it if the condition holds for an absent value. Such a condition can be evaluated
 * for a record, for a column of numbers, or for the range of a column.
 *
 * <p>The number of a field is the raw number of an integer, decimal, date, instant, enum or boolean, except for
 * unsigned fields of 8 bytes; {@link #orderOf} of a double of 8 bytes; and the bytes of a string or IP address of up to
 * 8 bytes as a zero-extended big-endian number. Other fields have none.
 *
 * @param field the field that the condition reads
 * @param accepted numbers for which the condition holds
 * @param ifFlagged whether the condition holds if the field's null flag is set; false for a field without one
 */
public record FieldCondition(Field field, LongRanges accepted, boolean ifFlagged) {

    /** Returns whether the field has a number. */
    public static boolean able(Field field) {
        return switch (field.type()) {
            case FieldType.Numbered numbered -> !numbered.storage().unsignedLong();
            case FieldType.FloatType(int bytes, var ignoredOrder) -> bytes == Double.BYTES;
            case FieldType.StringType(int bytes, var ignoredCharset, byte ignoredPad) -> bytes <= Long.BYTES;
            case FieldType.IpType(int bytes) -> bytes <= Long.BYTES;
            case FieldType.BytesType _ -> false;
        };
    }

    /** Returns the test whether a field has the same value as in a record; the field must be {@link #able}. */
    public static FieldCondition same(Field field, byte[] record) {
        if (isFlagged(field, record, 0)) {
            return new FieldCondition(field, LongRanges.NONE, true);
        }
        long number = number(field, record, 0);
        return new FieldCondition(field, LongRanges.of(number, number), false);
    }

    /**
     * Returns whether the condition holds for a record.
     *
     * @param bytes contains the record's fields
     * @param record offset in bytes at which the record begins
     */
    public boolean holdsFor(byte[] bytes, int record) {
        return isFlagged(field, bytes, record) ? ifFlagged : accepted.contains(number(field, bytes, record));
    }

    private static boolean isFlagged(Field field, byte[] bytes, int record) {
        return field.nullFlag() && bytes[record + field.nullFlagAt()] != 0;
    }

    private static long number(Field field, byte[] bytes, int record) {
        int at = record + field.offset();
        if (field.type() instanceof FieldType.Numbered numbered) {
            return RawBytes.get(bytes, at, numbered.storage());
        }
        ByteOrder order =
                field.type() instanceof FieldType.FloatType(int ignoredBytes, var its) ? its : ByteOrder.BIG_ENDIAN;
        long number = RawBytes.get(bytes, at, IntStorage.of(field.type().bytes(), false, order));
        return field.type() instanceof FieldType.FloatType ? orderOf(number) : number;
    }

    /**
     * Returns the bits of a double as a number that is ordered like the doubles: negative NaNs first, other NaNs last.
     */
    public static long orderOf(long bits) {
        return bits ^ (bits >> 63 >>> 1);
    }

    /** Returns whether the condition holds for an absent value. */
    public boolean acceptsAbsent() {
        return field.nullFlag() ? ifFlagged : field.optional() && accepted.contains(absentNumber(field));
    }

    /** Returns the number of the absent value of a numbered or double field. */
    static long absentNumber(Field field) {
        return field.type() instanceof FieldType.FloatType ? orderOf(field.nullRaw()) : field.nullRaw();
    }

    public FieldCondition and(FieldCondition other) {
        return new FieldCondition(field, accepted.intersect(other.accepted), ifFlagged && other.ifFlagged);
    }

    FieldCondition or(FieldCondition other) {
        return new FieldCondition(field, accepted.union(other.accepted), ifFlagged || other.ifFlagged);
    }

    FieldCondition not() {
        return new FieldCondition(field, accepted.complement(), field.nullFlag() && !ifFlagged);
    }
}
