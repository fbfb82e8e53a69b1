package daybook;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The book against a list of orders and sums of {@link BigInteger}s. */
class DayBookPropertiesTest {

    private static final int[] EXTREMES = {Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -1, 0, 1, Integer.MAX_VALUE};

    /** What numbers an order is made of. */
    enum Numbers {
        SMALL {
            @Override
            int next(Random random) {
                return random.nextInt(5);
            }
        },
        ANY {
            @Override
            int next(Random random) {
                return random.nextInt();
            }
        },
        EXTREME {
            @Override
            int next(Random random) {
                return EXTREMES[random.nextInt(EXTREMES.length)];
            }
        };

        abstract int next(Random random);
    }

    @Property(tries = 100)
    void shouldHoldAndSumWhatWasWritten(
            @ForAll long seed,
            @ForAll @IntRange(max = 3 * OrderBlock.ORDERS) int size,
            @ForAll Numbers tickets,
            @ForAll Numbers others,
            @ForAll boolean cleared) {
        Random random = new Random(seed);
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            orders.add(
                    new Order(tickets.next(random), others.next(random), others.next(random), random.nextInt(3) > 0));
        }
        try (DayBook book = new DayBook()) {
            if (cleared) {
                write(book, orders.reversed(), random);
                book.clear();
            }
            write(book, orders, random);

            assertThat(book.count()).isEqualTo(size);
            for (int i = 0; i < size; i++) {
                assertThat(book.get(i)).isEqualTo(orders.get(i));
            }
            assertThat(book.dayBalance()).isEqualTo(balance(orders));
            for (int ticket : new int[] {1, -1, 0, Integer.MIN_VALUE, tickets.next(random)}) {
                assertThat(book.balance(ticket))
                        .isEqualTo(balance(orders.stream()
                                .filter(order -> order.ticket() == ticket)
                                .toList()));
            }
        }
    }

    /** Some one by one, some many at once. */
    private static void write(DayBook book, List<Order> orders, Random random) {
        int at = 0;
        while (at < orders.size()) {
            int some = Math.min(1 + random.nextInt(2 * OrderBlock.ORDERS), orders.size() - at);
            List<Order> next = orders.subList(at, at + some);
            if (random.nextBoolean()) {
                next.forEach(order -> book.order(order.ticket(), order.amount(), order.price(), order.buy()));
            } else {
                append(book, next, random.nextInt(3));
            }
            at += some;
        }
    }

    private static void append(DayBook book, List<Order> orders, int from) {
        int length = from + orders.size();
        int[] tickets = new int[length];
        int[] amounts = new int[length];
        int[] prices = new int[length];
        boolean[] buys = new boolean[length];
        for (int i = 0; i < orders.size(); i++) {
            Order order = orders.get(i);
            tickets[from + i] = order.ticket();
            amounts[from + i] = order.amount();
            prices[from + i] = order.price();
            buys[from + i] = order.buy();
        }
        book.append(tickets, amounts, prices, buys, from, orders.size());
    }

    private static BigInteger balance(List<Order> orders) {
        BigInteger sum = BigInteger.ZERO;
        for (Order order : orders) {
            BigInteger product = BigInteger.valueOf(order.amount()).multiply(BigInteger.valueOf(order.price()));
            sum = order.buy() ? sum.add(product) : sum.subtract(product);
        }
        return sum;
    }
}
