package io.millrace.measure.plan;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Made-up calls for tests of measures: of each its time, cell, district, cost, volume, and how it ended. */
public final class Calls {

    public static final int LENGTH = 39;
    private static final long ABSENT = Long.MIN_VALUE;

    public static final Schema SCHEMA = schema(TimeUnit.MILLISECONDS);

    private Calls() {}

    /** One call. */
    public record Call(
            @Nullable Long time,
            @Nullable Integer cell,
            String district,
            @Nullable Long cents,
            @Nullable Double volume,
            boolean dropped) {

        byte[] bytes() {
            byte[] bytes = new byte[LENGTH];
            RawBytes.putLong(bytes, 0, time == null ? ABSENT : time);
            RawBytes.putShort(bytes, 8, (short) (cell == null ? 0xFFFF : cell));
            byte[] name = district.getBytes(StandardCharsets.US_ASCII);
            java.util.Arrays.fill(bytes, 10, 22, (byte) ' ');
            System.arraycopy(name, 0, bytes, 10, name.length);
            RawBytes.putLong(bytes, 22, cents == null ? ABSENT : cents);
            RawBytes.putLong(bytes, 30, Double.doubleToRawLongBits(volume == null ? Double.NaN : volume));
            bytes[38] = (byte) (dropped ? 1 : 0);
            return bytes;
        }
    }

    /** Their schema, with times of some unit. */
    public static Schema schema(TimeUnit unit) {
        return new Schema(
                "call",
                LENGTH,
                List.of(
                        Field.of("time", new FieldType.InstantType(number(8, true), unit), 0)
                                .asOptional(ABSENT),
                        Field.of("cell", new FieldType.IntegerType(number(2, false)), 8)
                                .asOptional(0xFFFF),
                        Field.of("district", new FieldType.StringType(12, StandardCharsets.US_ASCII, (byte) ' '), 10),
                        Field.of("cost", new FieldType.DecimalType(number(8, true), 2), 22)
                                .asOptional(ABSENT),
                        Field.of("volume", new FieldType.FloatType(8, ByteOrder.BIG_ENDIAN), 30)
                                .asOptional(Double.doubleToRawLongBits(Double.NaN)),
                        Field.of(
                                "ended",
                                new FieldType.EnumType(number(1, false), Dictionary.of("well", "dropped")),
                                38)),
                List.of());
    }

    private static IntStorage number(int bytes, boolean signed) {
        return IntStorage.of(bytes, signed, ByteOrder.BIG_ENDIAN);
    }

    /** A call at about a time. */
    public static Call random(Random random, long about, int spread, int cells) {
        return new Call(
                random.nextInt(50) == 0 ? null : about + random.nextInt(2 * spread + 1) - spread,
                random.nextInt(30) == 0 ? null : random.nextInt(cells),
                "District " + random.nextInt(3),
                random.nextInt(5) == 0 ? null : random.nextLong() >> random.nextInt(64) | 1,
                random.nextInt(5) == 0 ? null : (double) random.nextInt(1000),
                random.nextInt(4) == 0);
    }

    /** Some of the calls as a batch, with their positions. */
    public static RecordBatch batch(Schema schema, List<Call> calls, int from, int to) {
        byte[] bytes = new byte[(to - from) * LENGTH];
        for (int i = from; i < to; i++) {
            System.arraycopy(calls.get(i).bytes(), 0, bytes, (i - from) * LENGTH, LENGTH);
        }
        return new RecordBatch(schema).fill(bytes, 0, to - from, (long) from * LENGTH, (long) to * LENGTH);
    }
}
