package io.millrace.bench;

/** The rules of {@link DecimalBenchmark}, each with what somebody would write for it in 64 bits. */
public enum DecimalRule {
    /** A product of two longs. */
    PRODUCT("price * quantity > 50000") {
        @Override
        boolean holds(long price, long quantity, long fee) {
            return Math.multiplyExact(price, quantity) > 50_000_000_000L;
        }
    },
    /** A difference of two longs. */
    DIFFERENCE("price - fee > 5") {
        @Override
        boolean holds(long price, long quantity, long fee) {
            return Math.subtractExact(price, fee) > 50_000;
        }
    },
    /** A product less a fee, which is first given the scale of the product. */
    CHAIN("price * quantity - fee > 50000") {
        @Override
        boolean holds(long price, long quantity, long fee) {
            return Math.subtractExact(Math.multiplyExact(price, quantity), Math.multiplyExact(fee, 100L))
                    > 50_000_000_000L;
        }
    };

    private final String text;

    DecimalRule(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /** Returns whether the rule holds for raw values. */
    abstract boolean holds(long price, long quantity, long fee);
}
