package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** Rows of any schema whose columns are like those that there are: constant, few, near each other, rising, random. */
public final class RandomRows {

    private RandomRows() {}

    /** Rows back to back; the bytes that no field takes hold anything. */
    public static byte[] of(Schema schema, int count, Random random) {
        int length = schema.recordLength();
        byte[] rows = new byte[count * length];
        if (random.nextBoolean()) {
            random.nextBytes(rows);
        }
        for (Field field : schema.fields()) {
            fill(field, rows, length, count, random);
        }
        return rows;
    }

    private static void fill(Field field, byte[] rows, int length, int count, Random random) {
        int kind = random.nextInt(7);
        long start = random.nextBoolean() ? random.nextLong() : random.nextInt(100_000);
        long spread = 1L << random.nextInt(63);
        long[] few = random.longs(1 + random.nextInt(20)).toArray();
        for (int i = 0; i < count; i++) {
            long number = switch (kind) {
                case 0 -> start;
                case 1 -> few[random.nextInt(few.length)];
                case 2, 3 -> start + Math.floorMod(random.nextLong(), spread);
                case 4 -> start + i * spread + random.nextInt(10);
                case 5 -> Double.doubleToRawLongBits(random.nextInt(1_000_000) / 1000.0);
                default -> random.nextLong();
            };
            int at = i * length + field.offset();
            boolean absent = field.optional() && random.nextInt(5) == 0;
            if (absent) {
                putAbsent(field, rows, at);
            } else {
                put(field, rows, at, number);
            }
            if (field.nullFlag()) {
                rows[at + field.type().bytes()] = (byte) (absent ? 1 : 0);
            }
        }
    }

    private static void put(Field field, byte[] rows, int at, long number) {
        if (field.type() instanceof FieldType.Numbered numbered) {
            RawBytes.put(rows, at, numbered.storage(), number);
            return;
        }
        for (int i = 0; i < field.type().bytes(); i++) {
            rows[at + i] = (byte) (number >>> (8 * (7 - i % 8)));
        }
    }

    private static void putAbsent(Field field, byte[] rows, int at) {
        switch (field.type()) {
            case FieldType.Numbered numbered -> RawBytes.put(rows, at, numbered.storage(), field.nullRaw());
            case FieldType.FloatType(int bytes, ByteOrder order) ->
                RawBytes.put(rows, at, IntStorage.of(bytes, true, order), field.nullRaw());
            case FieldType.StringType(int bytes, var ignoredCharset, byte pad) ->
                Arrays.fill(rows, at, at + bytes, pad);
            default -> Arrays.fill(rows, at, at + field.type().bytes(), (byte) 0);
        }
    }
}
