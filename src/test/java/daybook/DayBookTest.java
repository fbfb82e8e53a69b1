package daybook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DayBookTest {

    private final DayBook book = new DayBook();

    @AfterEach
    void close() {
        book.close();
    }

    @Test
    void shouldBeEmptyAtFirst() {
        assertThat(book.count()).isZero();
        assertThat(book.dayBalance()).isZero();
        assertThat(book.balance(0)).isZero();
        assertThatThrownBy(() -> book.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldNotOverflow() {
        for (int i = 0; i < 3 * OrderBlock.ORDERS + 1; i++) {
            book.order(1, Integer.MIN_VALUE, Integer.MIN_VALUE, true);
        }

        assertThat(book.dayBalance())
                .isEqualTo(BigInteger.TWO.pow(62).multiply(BigInteger.valueOf(3L * OrderBlock.ORDERS + 1)))
                .isGreaterThan(BigInteger.valueOf(Long.MAX_VALUE));
        assertThat(book.balance(1)).isEqualTo(book.dayBalance());
    }

    @Test
    void shouldRefuseIndexesOutside() {
        orders(OrderBlock.ORDERS + 10);

        assertThat(book.get(OrderBlock.ORDERS + 9).amount()).isEqualTo(OrderBlock.ORDERS + 9);
        for (long index : new long[] {-1, OrderBlock.ORDERS + 10, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> book.get(index)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void shouldRefuseArraysThatEndBefore() {
        int[] four = new int[4];
        int[] three = new int[3];
        boolean[] sides = new boolean[4];

        assertThatThrownBy(() -> book.append(three, four, four, sides, 0, 4))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> book.append(four, three, four, sides, 1, 3))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> book.append(four, four, three, sides, 0, 4))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> book.append(four, four, four, new boolean[3], 0, 4))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> book.append(four, four, four, sides, 0, -1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(book.count()).isZero();
    }

    @Test
    void shouldUseTheSameMemoryOnTheNextDay() {
        orders(3 * OrderBlock.ORDERS);
        long bytes = book.bytes();

        book.clear();

        assertThat(book.count()).isZero();
        assertThat(book.dayBalance()).isZero();
        assertThat(book.bytes()).isZero();
        orders(3 * OrderBlock.ORDERS);
        assertThat(book.bytes()).isEqualTo(bytes).isPositive();
    }

    @Test
    void shouldTakeNoMoreBitsThanTheNumbersNeed() {
        orders(OrderBlock.ORDERS + 1);

        // Ticket and price are always the same, amounts go up to 8,191, and a bit tells the side.
        assertThat(book.bytes()).isEqualTo((long) OrderBlock.ORDERS * (13 + 1) / Byte.SIZE);
    }

    @Test
    void shouldRefuseToBeReadOnceClosed() {
        orders(2 * OrderBlock.ORDERS);

        book.close();

        assertThatThrownBy(() -> book.get(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> orders(1)).isInstanceOf(IllegalStateException.class);
    }

    private void orders(int count) {
        for (int i = 0; i < count; i++) {
            book.order(7, i, 2, i % 2 == 0);
        }
    }
}
