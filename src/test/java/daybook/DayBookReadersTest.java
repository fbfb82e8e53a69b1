package daybook;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What readers see while another thread writes. */
class DayBookReadersTest {

    private static final int ORDERS = 40 * OrderBlock.ORDERS + 77;
    private static final int ROUNDS = 20;
    private static final int[] SOME = {1, 5000, OrderBlock.ORDERS, 2 * OrderBlock.ORDERS + 3};

    private final AtomicBoolean done = new AtomicBoolean();

    /** After n orders of one day the balance is 0 + 1 + … + (n - 1), and so of their only ticket. */
    @Test
    void shouldSeeTheFirstSoManyOrders() throws Exception {
        try (DayBook book = new DayBook();
                ExecutorService reader = Executors.newSingleThreadExecutor()) {
            Future<Long> seen = reader.submit(() -> read(book));
            for (int round = 0; round < ROUNDS; round++) {
                book.clear();
                write(book, round);
            }
            done.set(true);

            assertThat(seen.get()).isPositive();
            assertThat(book.count()).isEqualTo(ORDERS);
        }
    }

    private static void write(DayBook book, int round) {
        int[] amounts = new int[ORDERS];
        int[] ones = new int[ORDERS];
        boolean[] buys = new boolean[ORDERS];
        for (int i = 0; i < ORDERS; i++) {
            amounts[i] = i;
            ones[i] = 1;
            buys[i] = true;
        }
        int at = 0;
        for (int i = round; at < ORDERS; i++) {
            int some = Math.min(SOME[i % SOME.length], ORDERS - at);
            if (i % 2 == 0) {
                book.append(ones, amounts, ones, buys, at, some);
            } else {
                for (int j = at; j < at + some; j++) {
                    book.order(1, j, 1, true);
                }
            }
            at += some;
        }
    }

    private long read(DayBook book) {
        long reads = 0;
        while (!done.get()) {
            assertSumOfFirst(book.dayBalance());
            assertSumOfFirst(book.balance(1));
            long last = book.count() - 1;
            if (last >= 0) {
                check(book, last);
            }
            reads++;
        }
        return reads;
    }

    /** An order that was there is there, unless the book was cleared just now. */
    private static void check(DayBook book, long index) {
        try {
            assertThat(book.get(index)).isEqualTo(new Order(1, (int) index, 1, true));
        } catch (IndexOutOfBoundsException e) {
            assertThat(index).isPositive();
        }
    }

    private static void assertSumOfFirst(BigInteger balance) {
        // n (n - 1) / 2 = balance
        long n = Math.round((1 + Math.sqrt(1 + 8 * balance.doubleValue())) / 2);
        assertThat(BigInteger.valueOf(n * (n - 1) / 2)).isEqualTo(balance);
        assertThat(n).isBetween(0L, (long) ORDERS);
    }
}
