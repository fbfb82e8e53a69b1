package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Random trades of 39 bytes of which a given share passes a rule. */
final class FilterData {

    static final int TRADES = 32_768;
    static final int LENGTH = 39;

    static final int ID = 0;
    static final int BUY_SELL = 10;
    static final int CURRENCY1 = 11;
    static final int AMOUNT1 = 12;
    static final int EXCHANGE_RATE = 20;
    static final int CURRENCY2 = 28;
    static final int AMOUNT2 = 29;

    static final int BUY = 0;
    static final int SELL = 1;
    static final int GBP = 5;
    static final int JPY = 6;
    static final int USD = 7;

    static final Dictionary CURRENCIES = Dictionary.of("", "AUD", "CAD", "CHF", "EUR", "GBP", "JPY", "USD");
    static final Dictionary SIDES = Dictionary.of("Buy", "Sell");

    static final Schema SCHEMA = schema();

    private static final double PERCENT = 100;
    private static final long MILLION = 100_000_000;

    private FilterData() {}

    private static Schema schema() {
        IntStorage i64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
        IntStorage u8 = IntStorage.of(1, false, ByteOrder.BIG_ENDIAN);
        return new Schema(
                "trade",
                LENGTH,
                List.of(
                        Field.of("id", new FieldType.IntegerType(i64), ID),
                        Field.of("buySell", new FieldType.EnumType(u8, SIDES), BUY_SELL),
                        Field.of("currency1", new FieldType.EnumType(u8, CURRENCIES), CURRENCY1),
                        Field.of("amount1", new FieldType.DecimalType(i64, 2), AMOUNT1),
                        Field.of("exchangeRate", new FieldType.FloatType(8, ByteOrder.BIG_ENDIAN), EXCHANGE_RATE),
                        Field.of("currency2", new FieldType.EnumType(u8, CURRENCIES), CURRENCY2),
                        Field.of("amount2", new FieldType.DecimalType(i64, 2), AMOUNT2)),
                List.of());
    }

    /** Trades back to back: each condition of the rule holds by itself, so often that all hold for the wanted share. */
    static byte[] trades(FilterRule rule, int percent) {
        Random random = new Random(39);
        double each = Math.pow(percent / PERCENT, 1.0 / rule.conditions());
        byte[] bytes = new byte[TRADES * LENGTH];
        for (int at = 0; at < bytes.length; at += LENGTH) {
            RawBytes.putLong(bytes, at + ID, random.nextLong(1_000_000_000));
            bytes[at + BUY_SELL] = (byte) (random.nextDouble() < each ? BUY : SELL);
            bytes[at + CURRENCY1] = (byte) (random.nextDouble() < each ? GBP : JPY);
            bytes[at + CURRENCY2] = (byte) (random.nextDouble() < each ? USD : random.nextInt(USD));
            RawBytes.putLong(bytes, at + AMOUNT1, amount(random, each));
            RawBytes.putLong(bytes, at + AMOUNT2, random.nextLong(10_000_000));
            RawBytes.putLong(
                    bytes, at + EXCHANGE_RATE, Double.doubleToRawLongBits(1 + random.nextInt(1000) / 1_000_000.0));
        }
        return bytes;
    }

    /** Above 1.1 million by that chance, below 0.9 million otherwise: no rule looks at what lies between. */
    private static long amount(Random random, double above) {
        return random.nextDouble() < above
                ? MILLION + MILLION / 10 + random.nextLong(MILLION / 2)
                : random.nextLong(MILLION - MILLION / 10);
    }

    /** Each trade in an array of its own. */
    static List<byte[]> records(byte[] trades) {
        List<byte[]> records = new ArrayList<>();
        for (int at = 0; at < trades.length; at += LENGTH) {
            records.add(Arrays.copyOfRange(trades, at, at + LENGTH));
        }
        return records;
    }
}
