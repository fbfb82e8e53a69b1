package io.millrace.table;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Records whose fields, one of each type, hold the extreme values of their types: smallest, largest, zero, all ones.
 */
public final class ExtremeRecords {

    private static final ByteOrder BIG = ByteOrder.BIG_ENDIAN;
    private static final ByteOrder LITTLE = ByteOrder.LITTLE_ENDIAN;
    private static final long[] NUMBERS = {
        0,
        -1,
        1,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        Double.doubleToRawLongBits(Double.NaN),
        Float.floatToRawIntBits(Float.NaN)
    };

    /** All fields are required; {@code id} is the key. */
    public static final Schema SCHEMA = schema();

    private static final RecordCodec CODEC = RecordCodec.of(SCHEMA);

    private ExtremeRecords() {}

    private static Schema schema() {
        List<FieldType> types = new ArrayList<>();
        for (int bytes = 1; bytes <= Long.BYTES; bytes++) {
            types.add(new FieldType.IntegerType(IntStorage.of(bytes, true, BIG)));
            types.add(new FieldType.IntegerType(IntStorage.of(bytes, false, LITTLE)));
        }
        types.add(new FieldType.IntegerType(IntStorage.of(2, false, BIG).slice(3, 5)));
        types.add(new FieldType.IntegerType(IntStorage.of(2, true, LITTLE).slice(3, 13)));
        types.add(new FieldType.DecimalType(IntStorage.of(8, true, BIG), 2));
        types.add(new FieldType.DecimalType(IntStorage.of(4, false, BIG), 6));
        types.add(new FieldType.DateType(IntStorage.of(2, false, BIG)));
        types.add(new FieldType.DateType(IntStorage.of(4, true, BIG)));
        types.add(new FieldType.InstantType(IntStorage.of(8, true, BIG), TimeUnit.MILLISECONDS));
        types.add(new FieldType.InstantType(IntStorage.of(4, false, LITTLE), TimeUnit.SECONDS));
        types.add(new FieldType.EnumType(IntStorage.of(1, false, BIG), names(256)));
        types.add(new FieldType.EnumType(
                IntStorage.of(2, false, BIG),
                new Dictionary(new TreeMap<>(Map.of(0, "", 7, "seven", 0xFFFF, "last")))));
        types.add(new FieldType.BooleanType(IntStorage.of(1, false, BIG)));
        types.add(new FieldType.BooleanType(IntStorage.of(1, false, BIG).slice(7, 1)));
        types.add(new FieldType.FloatType(4, LITTLE));
        types.add(new FieldType.FloatType(8, BIG));
        types.add(new FieldType.StringType(3, StandardCharsets.ISO_8859_1, (byte) ' '));
        types.add(new FieldType.StringType(11, StandardCharsets.ISO_8859_1, (byte) 0));
        types.add(new FieldType.StringType(9, StandardCharsets.US_ASCII, (byte) ' '));
        types.add(new FieldType.BytesType(2));
        types.add(new FieldType.BytesType(8));
        types.add(new FieldType.BytesType(11));
        types.add(new FieldType.IpType(4));
        types.add(new FieldType.IpType(16));
        List<Field> fields = new ArrayList<>();
        fields.add(Field.of("id", new FieldType.IntegerType(IntStorage.of(8, true, BIG)), 0));
        for (FieldType type : types) {
            fields.add(Field.of("f" + fields.size(), type, fields.getLast().end()));
        }
        return new Schema("extremes", fields.getLast().end(), fields, List.of());
    }

    private static Dictionary names(int count) {
        TreeMap<Integer, String> names = new TreeMap<>();
        for (int code = 0; code < count; code++) {
            names.put(code, "n" + code);
        }
        return new Dictionary(names);
    }

    /** Records with the keys {@code 0}, {@code step}, {@code 2 * step} and so on, which hold each field's extremes. */
    public static List<byte[]> all(long step) {
        List<byte[]> records = new ArrayList<>();
        for (int kind = 0; kind < 2 * NUMBERS.length; kind++) {
            byte[] record = new byte[SCHEMA.recordLength()];
            for (FieldCodec codec : CODEC.codecs()) {
                fill(codec.field(), record, kind);
            }
            RawBytes.putLong(record, 0, kind * step);
            records.add(record);
        }
        return records;
    }

    private static void fill(Field field, byte[] record, int kind) {
        int at = field.offset();
        switch (field.type()) {
            case FieldType.EnumType(var storage, var names) -> {
                List<Integer> codes = List.copyOf(names.namesByCode().keySet());
                int code = codes.get(kind % 2 == 0 ? 0 : codes.size() - 1);
                RawBytes.put(record, at, storage, code);
            }
            case FieldType.BooleanType(var storage) -> RawBytes.put(record, at, storage, kind % 2);
            case FieldType.Numbered type -> RawBytes.put(record, at, type.storage(), number(type, kind));
            case FieldType.FloatType(int bytes, var order) ->
                RawBytes.put(record, at, IntStorage.of(bytes, true, order), NUMBERS[kind % NUMBERS.length]);
            case FieldType.StringType(int bytes, var charset, byte pad) -> {
                byte largest = (byte) (charset.equals(StandardCharsets.US_ASCII) ? 0x7F : 0xFF);
                Arrays.fill(record, at, at + bytes, kind % 3 == 0 ? pad : kind % 3 == 1 ? largest : (byte) 1);
            }
            case FieldType.BytesType _, FieldType.IpType _ ->
                Arrays.fill(record, at, at + field.type().bytes(), (byte) (kind % 3 == 0 ? 0 : kind % 3 == 1 ? -1 : 1));
        }
    }

    private static long number(FieldType.Numbered type, int kind) {
        IntStorage storage = type.storage();
        if (type instanceof FieldType.InstantType && storage.bytes() == Long.BYTES) {
            return Math.abs(NUMBERS[kind % NUMBERS.length]) >>> 20;
        }
        boolean whole = type instanceof FieldType.IntegerType && storage.unsignedLong();
        return switch (kind % 5) {
            case 0 -> 0;
            case 1 -> whole ? Long.MAX_VALUE : storage.max();
            case 2 -> storage.min();
            case 3 -> storage.signed() ? -1 : whole ? Long.MAX_VALUE : storage.max();
            default -> 1;
        };
    }

    /** What a record holds, by field; bytes as hexadecimal text, so that they can be compared. */
    public static Map<String, @Nullable Object> values(RecordCodec codec, byte[] record) {
        Map<String, @Nullable Object> values = new HashMap<>();
        codec.decode(record, 0)
                .forEach((name, value) -> values.put(
                        name, value instanceof byte[] ? codec.codec(name).text(record, 0) : value));
        return values;
    }

    /** What a record of {@link #SCHEMA} holds. */
    public static Map<String, @Nullable Object> values(byte[] record) {
        return values(CODEC, record);
    }

    /** The record's number. */
    public static long id(byte[] record) {
        return RawBytes.getLong(record, 0);
    }

    /** What a record's fields are as text, by name. */
    public static Map<String, String> texts(byte[] record) {
        Map<String, String> texts = new HashMap<>();
        CODEC.codecs().forEach(codec -> texts.put(codec.field().name(), codec.text(record, 0)));
        return texts;
    }
}
