package io.millrace.bench;

import java.math.BigInteger;
import java.util.Random;

/**
 * The orders of {@link DayBookBenchmark}: {@value #DRAWN} drawn at random, so few that reading them costs little, and
 * taken again from the first on until there are {@value #ORDERS}. Ten thousand tickets, amounts up to 1,000, prices up
 * to 1,000.00 in hundredths.
 */
final class DayBookData {

    static final int ORDERS = 50_000_000;
    static final int DRAWN = 16_384;

    private static final int TICKETS = 10_000;
    private static final int AMOUNTS = 1000;
    private static final int PRICES = 100_000;

    final int[] tickets = new int[DRAWN];
    final int[] amounts = new int[DRAWN];
    final int[] prices = new int[DRAWN];
    final boolean[] buys = new boolean[DRAWN];

    /** @param sides {@code "alternate"}, which a processor foresees, or {@code "random"} */
    DayBookData(String sides) {
        Random random = new Random(42);
        for (int i = 0; i < DRAWN; i++) {
            tickets[i] = random.nextInt(TICKETS);
            amounts[i] = 1 + random.nextInt(AMOUNTS);
            prices[i] = 1 + random.nextInt(PRICES);
            buys[i] = sides.equals("alternate") ? i % 2 == 0 : random.nextBoolean();
        }
    }

    /** What some orders come to. */
    BigInteger balance(int orders) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < DRAWN; i++) {
            int times = orders / DRAWN + (i < orders % DRAWN ? 1 : 0);
            BigInteger product =
                    BigInteger.valueOf((long) amounts[i] * prices[i]).multiply(BigInteger.valueOf(times));
            sum = buys[i] ? sum.add(product) : sum.subtract(product);
        }
        return sum;
    }
}
