package io.millrace.bench;

import static io.millrace.bench.FilterData.AMOUNT1;
import static io.millrace.bench.FilterData.AMOUNT2;
import static io.millrace.bench.FilterData.BUY;
import static io.millrace.bench.FilterData.BUY_SELL;
import static io.millrace.bench.FilterData.CURRENCY1;
import static io.millrace.bench.FilterData.CURRENCY2;
import static io.millrace.bench.FilterData.EXCHANGE_RATE;
import static io.millrace.bench.FilterData.GBP;
import static io.millrace.bench.FilterData.ID;
import static io.millrace.bench.FilterData.JPY;
import static io.millrace.bench.FilterData.LENGTH;
import static io.millrace.bench.FilterData.USD;

import io.millrace.codec.RawBytes;

/**
 * The rules of {@link FilterBenchmark}, from trivial to heavy, each with the loop that somebody would write for it.
 * Spring does not compile BigDecimal, so that its compiled arms ask for doubles, which are less exact.
 */
public enum FilterRule {
    /** One comparison. */
    ONE(1, "amount1 > 1000000", "amount1.doubleValue() > 1000000.0") {
        @Override
        int handWritten(byte[] bytes, int[] selection, int selected) {
            int kept = 0;
            for (int i = 0; i < selected; i++) {
                int ordinal = selection[i];
                if (RawBytes.getLong(bytes, ordinal * LENGTH + AMOUNT1) > 100_000_000) {
                    selection[kept++] = ordinal;
                }
            }
            return kept;
        }
    },
    /** The filter of W1. */
    TWO(2, "currency1 != 'JPY' and amount1 > 1000000", "currency1 != 'JPY' and amount1.doubleValue() > 1000000.0") {
        @Override
        int handWritten(byte[] bytes, int[] selection, int selected) {
            int kept = 0;
            for (int i = 0; i < selected; i++) {
                int ordinal = selection[i];
                int at = ordinal * LENGTH;
                if (bytes[at + CURRENCY1] != JPY && RawBytes.getLong(bytes, at + AMOUNT1) > 100_000_000) {
                    selection[kept++] = ordinal;
                }
            }
            return kept;
        }
    },
    /** Three names. */
    NAMES(3, "currency1 == 'GBP' and currency2 == 'USD' and buySell == 'Buy'") {
        @Override
        int handWritten(byte[] bytes, int[] selection, int selected) {
            int kept = 0;
            for (int i = 0; i < selected; i++) {
                int ordinal = selection[i];
                int at = ordinal * LENGTH;
                if (bytes[at + CURRENCY1] == GBP && bytes[at + CURRENCY2] == USD && bytes[at + BUY_SELL] == BUY) {
                    selection[kept++] = ordinal;
                }
            }
            return kept;
        }
    },
    /** A list and a range. */
    LIST(
            2,
            "{'GBP', 'USD', 'EUR', 'CHF'}.contains(currency1) and amount1 between {1000000, 1900000}",
            "{'GBP', 'USD', 'EUR', 'CHF'}.contains(currency1)"
                    + " and amount1.doubleValue() >= 1000000.0 and amount1.doubleValue() <= 1900000.0") {
        @Override
        int handWritten(byte[] bytes, int[] selection, int selected) {
            int kept = 0;
            for (int i = 0; i < selected; i++) {
                int ordinal = selection[i];
                int at = ordinal * LENGTH;
                int currency = bytes[at + CURRENCY1];
                if (currency == GBP || currency == USD || currency == 4 || currency == 3) {
                    long amount = RawBytes.getLong(bytes, at + AMOUNT1);
                    if (amount >= 100_000_000 && amount <= 190_000_000) {
                        selection[kept++] = ordinal;
                    }
                }
            }
            return kept;
        }
    },
    /** Exact arithmetic. */
    DECIMALS(1, "amount1 * 3 - amount2 > 3000000", "amount1.doubleValue() * 3.0 - amount2.doubleValue() > 3000000.0") {
        @Override
        int handWritten(byte[] bytes, int[] selection, int selected) {
            int kept = 0;
            for (int i = 0; i < selected; i++) {
                int ordinal = selection[i];
                int at = ordinal * LENGTH;
                long amount = RawBytes.getLong(bytes, at + AMOUNT1);
                if (Math.subtractExact(Math.multiplyExact(amount, 3), RawBytes.getLong(bytes, at + AMOUNT2))
                        > 300_000_000) {
                    selection[kept++] = ordinal;
                }
            }
            return kept;
        }
    },
    /** A decimal that meets a double. */
    DOUBLES(1, "amount1 * exchangeRate > 1000000", "amount1.doubleValue() * exchangeRate > 1000000.0") {
        @Override
        int handWritten(byte[] bytes, int[] selection, int selected) {
            int kept = 0;
            for (int i = 0; i < selected; i++) {
                int ordinal = selection[i];
                int at = ordinal * LENGTH;
                double amount = RawBytes.getLong(bytes, at + AMOUNT1) / 100.0;
                if (amount * Double.longBitsToDouble(RawBytes.getLong(bytes, at + EXCHANGE_RATE)) > 1_000_000) {
                    selection[kept++] = ordinal;
                }
            }
            return kept;
        }
    },
    /** A bit of everything. */
    HEAVY(
            3,
            "currency1 == 'GBP' and (buySell == 'Buy' ? amount1 * 2 > 2000000 : amount1 * 3 > 9000000)"
                    + " and (id % 10 != 3 or amount1 * exchangeRate > 1000000)"
                    + " and {'USD', 'EUR', 'CHF', 'GBP', 'AUD'}.contains(currency2)",
            "currency1 == 'GBP' and (buySell == 'Buy' ? amount1.doubleValue() * 2.0 > 2000000.0"
                    + " : amount1.doubleValue() * 3.0 > 9000000.0)"
                    + " and (id % 10L != 3L or amount1.doubleValue() * exchangeRate > 1000000.0)"
                    + " and {'USD', 'EUR', 'CHF', 'GBP', 'AUD'}.contains(currency2)") {
        @Override
        int handWritten(byte[] bytes, int[] selection, int selected) {
            int kept = 0;
            for (int i = 0; i < selected; i++) {
                int ordinal = selection[i];
                int at = ordinal * LENGTH;
                if (bytes[at + CURRENCY1] != GBP) {
                    continue;
                }
                long amount = RawBytes.getLong(bytes, at + AMOUNT1);
                boolean large = bytes[at + BUY_SELL] == BUY
                        ? Math.multiplyExact(amount, 2) > 200_000_000
                        : Math.multiplyExact(amount, 3) > 900_000_000;
                if (!large) {
                    continue;
                }
                double rate = Double.longBitsToDouble(RawBytes.getLong(bytes, at + EXCHANGE_RATE));
                int other = bytes[at + CURRENCY2];
                if ((RawBytes.getLong(bytes, at + ID) % 10 != 3 || amount / 100.0 * rate > 1_000_000)
                        && (other == USD || other == 4 || other == 3 || other == GBP || other == 1)) {
                    selection[kept++] = ordinal;
                }
            }
            return kept;
        }
    };

    private final int conditions;
    private final String text;
    private final String compilableBySpring;

    FilterRule(int conditions, String text) {
        this(conditions, text, text);
    }

    FilterRule(int conditions, String text, String compilableBySpring) {
        this.conditions = conditions;
        this.text = text;
        this.compilableBySpring = compilableBySpring;
    }

    /** How many of its conditions the data make hold or not. */
    int conditions() {
        return conditions;
    }

    String text() {
        return text;
    }

    String compilableBySpring() {
        return compilableBySpring;
    }

    /** Keeps the ordinals of the records that pass, at the front of the selection; returns how many. */
    abstract int handWritten(byte[] bytes, int[] selection, int selected);
}
