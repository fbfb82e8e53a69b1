package book;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class OrderBookTest {

    private final OrderBook book = new OrderBook();

    @Test
    void shouldReadWhatWasAdded() {
        book.add(7, "tea", new BigDecimal("2.50"));
        assertThat(book.orders().getFirst().getId()).isEqualTo(7);
        assertThat(book.orders().getFirst().getLines().getFirst().getAmount()).isEqualTo("2.50");
        assertThat(book.quote(3, 1.25).getPrice()).isEqualTo(1.25);
        assertThat(book.quote(3, 1.25).getVolume()).isNull();
    }
}
