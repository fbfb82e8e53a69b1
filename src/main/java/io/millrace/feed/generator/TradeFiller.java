package io.millrace.feed.generator;

import io.millrace.codec.DateCodec;
import io.millrace.codec.DecimalCodec;
import io.millrace.codec.DoubleCodec;
import io.millrace.codec.EnumCodec;
import io.millrace.codec.LongCodec;
import io.millrace.codec.RecordCodec;
import java.time.LocalDate;

/**
 * Generates trades similar to the ten in {@code examples/trades.csv}: one amount in eight is up to a million, the
 * others are from 6 to 150 million in steps of half a million; rates are within 2% of the currencies' cross rates of
 * July 2014.
 */
final class TradeFiller implements Filler {

    /** US dollars per 10,000 units of each currency: AUD, CAD, CHF, EUR, GBP, JPY, USD, which are codes 1 to 7. */
    private static final double[] DOLLARS = {9408, 9280, 11130, 13440, 17080, 98.5, 10000};

    private static final int CURRENCIES = DOLLARS.length;
    private static final long FIRST_MONDAY = LocalDate.of(2014, 7, 21).toEpochDay();
    private static final int WEEKS = 52;
    private static final long HALF_MILLION = 50_000_000;
    private static final long MILLION = 100_000_000;
    private static final long THOUSAND = 100_000;
    private static final long RATE_UNITS = 10_000;

    private final LongCodec id;
    private final DateCodec tradeDate;
    private final EnumCodec buySell;
    private final EnumCodec currency1;
    private final DecimalCodec amount1;
    private final DoubleCodec exchangeRate;
    private final EnumCodec currency2;
    private final DecimalCodec amount2;
    private final DateCodec settlementDate;

    TradeFiller(RecordCodec codec) {
        id = (LongCodec) codec.codec("id");
        tradeDate = (DateCodec) codec.codec("tradeDate");
        buySell = (EnumCodec) codec.codec("buySell");
        currency1 = (EnumCodec) codec.codec("currency1");
        amount1 = (DecimalCodec) codec.codec("amount1");
        exchangeRate = (DoubleCodec) codec.codec("exchangeRate");
        currency2 = (EnumCodec) codec.codec("currency2");
        amount2 = (DecimalCodec) codec.codec("amount2");
        settlementDate = (DateCodec) codec.codec("settlementDate");
    }

    @Override
    public void fill(byte[] into, int at, long record, Draws draws) {
        int first = draws.below(CURRENCIES);
        int second = (first + 1 + draws.below(CURRENCIES - 1)) % CURRENCIES;
        long cents = draws.below(8) == 0 ? draws.between(THOUSAND, MILLION) : HALF_MILLION * draws.between(12, 300);
        long rate = rate(first, second, draws);
        long day = FIRST_MONDAY + 7L * draws.below(WEEKS) + draws.below(5);

        id.put(into, at, record + 1);
        tradeDate.putEpochDay(into, at, day);
        buySell.putCode(into, at, draws.below(2));
        currency1.putCode(into, at, first + 1);
        amount1.putUnscaled(into, at, cents);
        exchangeRate.put(into, at, (double) rate / RATE_UNITS);
        currency2.putCode(into, at, second + 1);
        // At most 1.5e10 cents times 1.8e6 units, which fits a long.
        amount2.putUnscaled(into, at, (cents * rate + RATE_UNITS / 2) / RATE_UNITS);
        settlementDate.putEpochDay(into, at, day + draws.between(2, 30));
    }

    /** Returns the rate in ten-thousandths of the second currency per unit of the first. */
    private static long rate(int first, int second, Draws draws) {
        double cross = DOLLARS[first] / DOLLARS[second];
        return Math.max(1, Math.round(cross * (0.98 + 0.04 * draws.unit()) * RATE_UNITS));
    }
}
