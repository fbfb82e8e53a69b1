package io.millrace.measure.plan;

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
 * the limit. Immutable; writing allocates nothing.
 */
final class RowKey {

    private static final int WIDEST_CODE_OF_TWO_BYTES = 0xFFFF;
    private static final IntStorage UNSIGNED = IntStorage.of(Long.BYTES, false, ByteOrder.BIG_ENDIAN);

    private final GroupKey key;
    private final Field field;
    private final int offset;
    private final int nullFlagAt;
    /** How each long of the key is stored, from the field's offset on. */
    private final IntStorage[] words;

    /**
     * @param key the grouping key
     * @param field the field of the row
     */
    RowKey(GroupKey key, Field field) {
        this.key = key;
        this.field = field;
        this.offset = field.offset();
        this.nullFlagAt = field.nullFlagAt();
        this.words = field.type() instanceof FieldType.Numbered numbered
                ? new IntStorage[] {numbered.storage()}
                : words(field.type());
    }

    private static IntStorage[] words(FieldType type) {
        if (type instanceof FieldType.FloatType(int width, var order)) {
            return new IntStorage[] {IntStorage.of(width, false, order)};
        }
        IntStorage[] words = new IntStorage[(type.bytes() + Long.BYTES - 1) / Long.BYTES];
        for (int part = 0; part < words.length; part++) {
            int bytes = Math.min(Long.BYTES, type.bytes() - part * Long.BYTES);
            words[part] = IntStorage.of(bytes, false, ByteOrder.BIG_ENDIAN);
        }
        return words;
    }

    GroupKey key() {
        return key;
    }

    Field field() {
        return field;
    }

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
        into[row + nullFlagAt] = 0;
        for (int part = 0; part < words.length; part++) {
            RawBytes.put(into, row + offset + part * Long.BYTES, words[part], keyLongs[at + part]);
        }
    }

    /** Writes an absent key. */
    void putAbsent(byte[] into, int row) {
        byte nothing = field.type() instanceof FieldType.StringType text ? text.pad() : 0;
        Arrays.fill(into, row + offset, row + nullFlagAt, nothing);
        into[row + nullFlagAt] = 1;
    }
}
