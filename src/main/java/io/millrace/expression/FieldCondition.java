package io.millrace.expression;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.nio.ByteOrder;

/**
 * A condition that asks nothing but one field, as the set of its numbers for which it holds; where a number stands for
 * absent, it is among them if the condition holds for an absent value. What such a condition is asked of need not be a
 * record: a column of numbers will do, or their range.
 *
 * <p>The number of a field is, of numbers, days, moments, names and truth values, the raw number; of doubles of 8 bytes
 * {@link #orderOf}; of texts and addresses of up to 8 bytes their bytes as a big-endian number, zero-extended. Other
 * fields have none.
 *
 * @param field that is asked
 * @param accepted numbers for which the condition holds
 * @param ifFlagged whether it holds where the field's null flag is set; false for a field without one
 */
public record FieldCondition(Field field, LongRanges accepted, boolean ifFlagged) {

    /** Whether the field has a number. */
    public static boolean able(Field field) {
        return switch (field.type()) {
            case FieldType.Numbered numbered -> !numbered.storage().unsignedLong();
            case FieldType.FloatType(int bytes, var ignoredOrder) -> bytes == Double.BYTES;
            case FieldType.StringType(int bytes, var ignoredCharset, byte ignoredPad) -> bytes <= Long.BYTES;
            case FieldType.IpType(int bytes) -> bytes <= Long.BYTES;
            case FieldType.BytesType _ -> false;
        };
    }

    /** The test whether a field has the very bytes that it has in a record; the field must be {@link #able}. */
    public static FieldCondition same(Field field, byte[] record) {
        if (isFlagged(field, record, 0)) {
            return new FieldCondition(field, LongRanges.NONE, true);
        }
        long number = number(field, record, 0);
        return new FieldCondition(field, LongRanges.of(number, number), false);
    }

    /**
     * Whether the condition holds for a record.
     *
     * @param bytes holds the record's fields, from {@code record} on
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

    /** The bits of a double as a number that is ordered like the doubles: negative NaNs first, other NaNs last. */
    public static long orderOf(long bits) {
        return bits ^ (bits >> 63 >>> 1);
    }

    /** Whether the condition holds for an absent value. */
    public boolean acceptsAbsent() {
        return field.nullFlag() ? ifFlagged : field.optional() && accepted.contains(absentNumber(field));
    }

    /** The number of an absent value of a number or double. */
    static long absentNumber(Field field) {
        return field.type() instanceof FieldType.FloatType ? orderOf(field.nullRaw()) : field.nullRaw();
    }

    FieldCondition and(FieldCondition other) {
        return new FieldCondition(field, accepted.intersect(other.accepted), ifFlagged && other.ifFlagged);
    }

    FieldCondition or(FieldCondition other) {
        return new FieldCondition(field, accepted.union(other.accepted), ifFlagged || other.ifFlagged);
    }

    FieldCondition not() {
        return new FieldCondition(field, accepted.complement(), field.nullFlag() && !ifFlagged);
    }
}
