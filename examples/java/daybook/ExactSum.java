package daybook;

import java.math.BigInteger;

/**
 * The exact sum of up to 2^31 products of two ints. A product has up to 63 bits, so the sum of two may overflow a long.
 * The upper and lower halves of the products are therefore summed separately. Not thread-safe.
 */
final class ExactSum {

    private static final long LOWER = 0xffff_ffffL;

    private long uppers;
    private long lowers;

    /** Adds an order: amount times price, negative for a sale. */
    void add(int amount, int price, boolean buy) {
        long product = (long) amount * price;
        long signed = buy ? product : -product;
        uppers += signed >> Integer.SIZE;
        lowers += signed & LOWER;
    }

    /**
     * Adds as many orders as there are words in {@code buys}, without branches.
     *
     * @param start index of the first order in {@code amounts} and {@code prices}
     * @param buys words, of which one bit is 1 if the order buys
     * @param bit index of that bit
     */
    void add(int[] amounts, int[] prices, int start, int[] buys, int bit) {
        long upper = 0;
        long lower = 0;
        for (int i = 0; i < buys.length; i++) {
            int sell = ((buys[i] >>> bit) & 1) - 1; // 0, or -1 for a sale: (n ^ -1) - -1 is -n
            long signed = ((long) amounts[start + i] * prices[start + i] ^ sell) - sell;
            upper += signed >> Integer.SIZE;
            lower += signed & LOWER;
        }
        uppers += upper;
        lowers += lower;
    }

    BigInteger value() {
        return BigInteger.valueOf(uppers).shiftLeft(Integer.SIZE).add(BigInteger.valueOf(lowers));
    }
}
