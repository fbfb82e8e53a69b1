package io.millrace.expression;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.util.List;

/** The trade of 39 bytes. */
public final class Trades {

    public static final Dictionary CURRENCIES = Dictionary.of("", "AUD", "CAD", "CHF", "EUR", "GBP", "JPY", "USD");
    public static final Dictionary SIDES = Dictionary.of("Buy", "Sell");

    public static final Schema SCHEMA = new Schema(
            "trade",
            39,
            List.of(
                    Field.of("id", new FieldType.IntegerType(IntStorage.of(8, true, BIG_ENDIAN)), 0),
                    Field.of("tradeDate", new FieldType.DateType(IntStorage.of(2, false, BIG_ENDIAN)), 8),
                    Field.of("buySell", new FieldType.EnumType(IntStorage.of(1, false, BIG_ENDIAN), SIDES), 10),
                    Field.of("currency1", new FieldType.EnumType(IntStorage.of(1, false, BIG_ENDIAN), CURRENCIES), 11),
                    Field.of("amount1", new FieldType.DecimalType(IntStorage.of(8, true, BIG_ENDIAN), 2), 12),
                    Field.of("exchangeRate", new FieldType.FloatType(8, BIG_ENDIAN), 20),
                    Field.of("currency2", new FieldType.EnumType(IntStorage.of(1, false, BIG_ENDIAN), CURRENCIES), 28),
                    Field.of("amount2", new FieldType.DecimalType(IntStorage.of(8, true, BIG_ENDIAN), 2), 29),
                    Field.of("settlementDate", new FieldType.DateType(IntStorage.of(2, false, BIG_ENDIAN)), 37)),
            List.of(new VirtualField("large", "amount1 > 1000000"), new VirtualField("total", "amount1 + amount2")));

    private Trades() {}
}
