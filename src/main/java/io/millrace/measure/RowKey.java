package io.millrace.measure;

import io.millrace.aggregate.GroupKey;
import io.millrace.codec.RawBytes;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A grouping key as a field of a row. The field has a null flag, because keys are absent in the row of the groups over
 * the limit.
 *
 * @param key the grouping key
 * @param field the field of the row
 */
record RowKey(GroupKey key, Field field) {

    private static final int WIDEST_CODE_OF_TWO_BYTES = 0xFFFF;
    private static final IntStorage UNSIGNED = IntStorage.of(Long.BYTES, false, ByteOrder.BIG_ENDIAN);

    /** Returns a field that can store the key's values. Its offset is not set yet. */
    static Field field(String name, GroupKey key) {
        return Field.of(name, type(key.value().type()), 0).withNullFlag();
    }

    private static FieldType type(FieldType type) {
        return switch (type) {
            case FieldType.IntegerType(var storage) ->
                new FieldType.IntegerType(storage.unsignedLong() ? UNSIGNED : Aggregate.WHOLE);
            case FieldType.DecimalType(var ignoredStorage, int scale) ->
                new FieldType.DecimalType(Aggregate.WHOLE, scale);
            case FieldType.DateType _ -> new FieldType.DateType(Aggregate.WHOLE);
            case FieldType.InstantType(var ignoredStorage, var unit) ->
                new FieldType.InstantType(Aggregate.WHOLE, unit);
            case FieldType.EnumType(var ignoredStorage, Dictionary names) ->
                new FieldType.EnumType(
                        IntStorage.of(
                                names.lastCode() <= WIDEST_CODE_OF_TWO_BYTES ? Short.BYTES : Integer.BYTES,
                                false,
                                ByteOrder.BIG_ENDIAN),
                        names);
            case FieldType.BooleanType _ -> new FieldType.BooleanType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN));
            case FieldType.FloatType _, FieldType.StringType _, FieldType.BytesType _, FieldType.IpType _ -> type;
        };
    }

    /**
     * Writes the key of a group into a row.
     *
     * @param keyLongs array that contains the longs of the key, from index {@code at} on
     * @param row offset of the row in {@code into}
     */
    void put(long[] keyLongs, int at, byte[] into, int row) {
        if (key.isAbsent(keyLongs, at)) {
            putAbsent(into, row);
            return;
        }
        int place = row + field.offset();
        into[row + field.nullFlagAt()] = 0;
        if (field.type() instanceof FieldType.Numbered numbered) {
            RawBytes.put(into, place, numbered.storage(), keyLongs[at]);
            return;
        }
        for (int part = 0; part * Long.BYTES < field.type().bytes(); part++) {
            RawBytes.put(into, place + part * Long.BYTES, word(part), keyLongs[at + part]);
        }
    }

    private IntStorage word(int part) {
        if (field.type() instanceof FieldType.FloatType(int width, var order)) {
            return IntStorage.of(width, false, order);
        }
        int bytes = Math.min(Long.BYTES, field.type().bytes() - part * Long.BYTES);
        return IntStorage.of(bytes, false, ByteOrder.BIG_ENDIAN);
    }

    /** Writes an absent key. */
    void putAbsent(byte[] into, int row) {
        byte nothing = field.type() instanceof FieldType.StringType text ? text.pad() : 0;
        Arrays.fill(into, row + field.offset(), row + field.nullFlagAt(), nothing);
        into[row + field.nullFlagAt()] = 1;
    }
}
