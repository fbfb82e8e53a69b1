package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import trades.Trade;
import trades.TradeBook;

/** The unit tests of a JavaBean, which also pass for its views. */
@FrameworkSupport(
        tool = "JUnit: the unit tests of your class",
        works = "pass for views, mutable and immutable, in both layouts",
        otherwise = "Tests of [what differs](#equality) fail, such as one of the value of `hashCode`")
@SuppressWarnings("JavaUtilDate") // the type of a getter
class PojoTest {

    /** The tests as the owner of the class has them. */
    abstract static class TradeTest {

        abstract Trade create();

        /** Returns the trade as the application stores it. */
        abstract Trade store(Trade trade);

        private Trade trade(int id) {
            Trade trade = create();
            TradeBook.fill(trade, id);
            return trade;
        }

        @Test
        void shouldReturnWhatWasSet() {
            Trade trade = create();
            trade.setId(Long.MAX_VALUE);
            trade.setTradeDate(new Date(86_400_000L * 20_000));
            trade.setBuySell("Sell");
            trade.setCurrency1("GBP");
            trade.setAmount1(new BigDecimal("-1234567.89"));
            trade.setExchangeRate(1.5625);
            trade.setCurrency2("");
            trade.setAmount2(new BigDecimal("0.01"));
            trade.setSettlementDate(new Date(86_400_000L * 20_002));
            Trade stored = store(trade);
            assertThat(stored.getId()).isEqualTo(Long.MAX_VALUE);
            assertThat(stored.getTradeDate()).isEqualTo(new Date(86_400_000L * 20_000));
            assertThat(stored.getBuySell()).isEqualTo("Sell");
            assertThat(stored.getCurrency1()).isEqualTo("GBP");
            assertThat(stored.getAmount1()).isEqualTo(new BigDecimal("-1234567.89"));
            assertThat(stored.getExchangeRate()).isEqualTo(1.5625);
            assertThat(stored.getCurrency2()).isEmpty();
            assertThat(stored.getAmount2()).isEqualTo(new BigDecimal("0.01"));
            assertThat(stored.daysToSettlement()).isEqualTo(2);
            assertThat(stored.buys()).isFalse();
        }

        @Test
        void shouldBeEqualByContent() {
            Trade trade = store(trade(5));
            Trade same = store(trade(5));
            Trade other = trade(5);
            other.setAmount2(new BigDecimal("7.00"));
            assertThat(trade).isEqualTo(same).hasSameHashCodeAs(same).isEqualTo(trade);
            assertThat(same).isEqualTo(trade);
            assertThat(trade).isNotEqualTo(store(other)).isNotEqualTo(null).isNotEqualTo("5");
        }

        @Test
        void shouldChangeTheHashCodeWithTheContent() {
            Trade trade = trade(5);
            int before = trade.hashCode();
            trade.setId(6);
            assertThat(trade.hashCode()).isNotEqualTo(before);
            trade.setId(5);
            assertThat(trade).hasSameHashCodeAs(trade(5));
        }

        @Test
        void shouldBeOrderedById() {
            assertThat(store(trade(3))).isLessThan(store(trade(4)));
            Set<Trade> sorted = new TreeSet<>(List.of(store(trade(9)), store(trade(2)), store(trade(5))));
            assertThat(sorted).extracting(Trade::getId).containsExactly(2L, 5L, 9L);
        }

        @Test
        void shouldBeFoundInSets() {
            Set<Trade> set = new HashSet<>(List.of(store(trade(1)), store(trade(2))));
            assertThat(set).contains(store(trade(2))).doesNotContain(store(trade(3)));
            assertThat(set.add(store(trade(1)))).isFalse();
        }

        @Test
        void shouldShowItsContent() {
            assertThat(store(trade(4)).toString()).startsWith("Trade[id=4, ").contains("buySell=Buy");
        }

        @Test
        void shouldSurviveSerialization() throws IOException, ClassNotFoundException {
            Trade trade = store(trade(8));
            assertThat(TradeBook.deserialize(TradeBook.serialize(trade)))
                    .isEqualTo(trade)
                    .isNotSameAs(trade)
                    .hasSameHashCodeAs(trade);
        }
    }

    @Nested
    class Classic extends TradeTest {
        @Override
        Trade create() {
            return new Trade();
        }

        @Override
        Trade store(Trade trade) {
            return trade;
        }
    }

    @Nested
    class Fixed extends TradeTest {
        private final RecordViews<Trade> views = TradeViews.of("fixed");

        @Override
        Trade create() {
            return views.create();
        }

        @Override
        Trade store(Trade trade) {
            return views.view(trade);
        }
    }

    @Nested
    class Compact extends TradeTest {
        private final RecordViews<Trade> views = TradeViews.of("compact");

        @Override
        Trade create() {
            return views.create();
        }

        @Override
        Trade store(Trade trade) {
            return views.view(trade);
        }
    }

    @Nested
    class MutableCompact extends TradeTest {
        private final RecordViews<Trade> views = TradeViews.of("compact");

        @Override
        Trade create() {
            return views.create();
        }

        @Override
        Trade store(Trade trade) {
            return trade;
        }
    }
}
