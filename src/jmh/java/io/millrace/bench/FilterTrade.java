package io.millrace.bench;

import io.millrace.codec.RawBytes;
import java.math.BigDecimal;
import java.util.Objects;

/** What decoding makes of a trade of {@link FilterData}: the object that rules are usually asked of. */
public final class FilterTrade {

    private final long id;
    private final String buySell;
    private final String currency1;
    private final BigDecimal amount1;
    private final double exchangeRate;
    private final String currency2;
    private final BigDecimal amount2;

    FilterTrade(byte[] record) {
        id = RawBytes.getLong(record, FilterData.ID);
        buySell = Objects.requireNonNull(FilterData.SIDES.name(record[FilterData.BUY_SELL]));
        currency1 = Objects.requireNonNull(FilterData.CURRENCIES.name(record[FilterData.CURRENCY1]));
        amount1 = BigDecimal.valueOf(RawBytes.getLong(record, FilterData.AMOUNT1), 2);
        exchangeRate = Double.longBitsToDouble(RawBytes.getLong(record, FilterData.EXCHANGE_RATE));
        currency2 = Objects.requireNonNull(FilterData.CURRENCIES.name(record[FilterData.CURRENCY2]));
        amount2 = BigDecimal.valueOf(RawBytes.getLong(record, FilterData.AMOUNT2), 2);
    }

    public long getId() {
        return id;
    }

    public String getBuySell() {
        return buySell;
    }

    public String getCurrency1() {
        return currency1;
    }

    public BigDecimal getAmount1() {
        return amount1;
    }

    public double getExchangeRate() {
        return exchangeRate;
    }

    public String getCurrency2() {
        return currency2;
    }

    public BigDecimal getAmount2() {
        return amount2;
    }
}
