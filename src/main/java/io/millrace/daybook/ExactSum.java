package io.millrace.daybook;

import java.math.BigInteger;

/**
 * The sum of up to 2^31 products of two ints, exact. Such a product has up to 63 bits, so two of them may be too large
 * a number for a long; the upper and lower halves of the products are summed apart. Not thread-safe.
 */
final class ExactSum {

    private static final long LOWER = 0xffff_ffffL;

    private long uppers;
    private long lowers;

    /** Adds an order: amount times price, less than zero if it sells. */
    void add(int amount, int price, boolean buy) {
        long product = (long) amount * price;
        long signed = buy ? product : -product;
        uppers += signed >> Integer.SIZE;
        lowers += signed & LOWER;
    }

    /**
     * Adds as many orders as there are words, without a branch.
     *
     * @param buys whose bit tells whether the order buys
     * @param bit which one
     */
    void add(int[] amounts, int[] prices, int from, int[] buys, int bit) {
        long upper = 0;
        long lower = 0;
        for (int i = 0; i < buys.length; i++) {
            int sell = ((buys[i] >>> bit) & 1) - 1; // 0, or -1 if it sells: (n ^ -1) - -1 is -n
            long signed = ((long) amounts[from + i] * prices[from + i] ^ sell) - sell;
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
