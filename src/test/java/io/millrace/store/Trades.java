package io.millrace.store;

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

/** Small trades for tests of the store: id, day, side, desk and amount in 23 bytes, each a function of its number. */
public final class Trades {

    public static final Schema SCHEMA = new Schema(
            "small-trade",
            23,
            List.of(
                    Field.of("id", new FieldType.IntegerType(number(8, true)), 0),
                    Field.of("day", new FieldType.DateType(number(2, false)), 8),
                    Field.of("side", new FieldType.EnumType(number(1, false), Dictionary.of("Buy", "Sell")), 10),
                    Field.of("desk", new FieldType.StringType(4, StandardCharsets.US_ASCII, (byte) ' '), 11),
                    Field.of("amount", new FieldType.DecimalType(number(8, true), 2), 15)),
            List.of());

    public static final int LENGTH = 23;

    private Trades() {}

    private static IntStorage number(int bytes, boolean signed) {
        return IntStorage.of(bytes, signed, ByteOrder.BIG_ENDIAN);
    }

    /** A feed of so many trades, ids from 0. */
    public static byte[] feed(int count) {
        byte[] feed = new byte[count * LENGTH];
        for (int i = 0; i < count; i++) {
            write(feed, i * LENGTH, i);
        }
        return feed;
    }

    public static void write(byte[] into, int at, int number) {
        RawBytes.putLong(into, at, number);
        RawBytes.putShort(into, at + 8, (short) (20_000 + number % 100));
        into[at + 10] = (byte) (number & 1);
        into[at + 11] = 'D';
        into[at + 12] = (byte) ('0' + number % 10);
        into[at + 13] = ' ';
        into[at + 14] = ' ';
        RawBytes.putLong(into, at + 15, number * 7919L % 100_003);
    }

    /** A batch of the trades from one number to another (exclusive), with their position in the feed. */
    public static RecordBatch batch(RecordBatch batch, byte[] feed, int first, int end) {
        return batch.fill(feed, first * LENGTH, end - first, (long) first * LENGTH, (long) end * LENGTH);
    }

    public static RecordBatch batch(byte[] feed, int first, int end) {
        return batch(new RecordBatch(SCHEMA), feed, first, end);
    }

    /** Keeps every so manieth record. */
    public static RecordBatch every(int step, RecordBatch batch) {
        int kept = 0;
        for (int i = 0; i < batch.selected(); i++) {
            if (RawBytes.getLong(batch.bytes(), batch.offset(batch.selection()[i])) % step == 0) {
                batch.selection()[kept++] = batch.selection()[i];
            }
        }
        batch.select(kept);
        return batch;
    }

    public static long id(byte[] bytes, int at) {
        return RawBytes.getLong(bytes, at);
    }
}
