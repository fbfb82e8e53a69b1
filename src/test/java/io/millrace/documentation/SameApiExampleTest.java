package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import trades.SameApi;
import trades.TradeBook;

/** The example {@code same-api}: one program over objects and over views. */
@SuppressWarnings({"JavaUtilDate", "UndefinedEquals", "BigDecimalEquals"}) // equal in each detail
class SameApiExampleTest {

    private static final int COUNT = 2_000;

    @ParameterizedTest
    @ValueSource(strings = {"examples/same-api/fixed/trade.yml", "examples/same-api/compact/trade.yml"})
    void shouldGiveTheSameResults(String schema) throws IOException, ClassNotFoundException {
        SameApi.Result classic = SameApi.run(SameApi.classic(), COUNT);
        SameApi.Result binary = SameApi.run(SameApi.book(schema), COUNT);
        assertThat(binary.cheapest()).isNotNegative().isEqualTo(classic.cheapest());
        assertThat(binary.serialized()).isLessThan(classic.serialized() / 4);
        assertThat(binary.serializedInList()).isLessThan(40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"examples/same-api/fixed/trade.yml", "examples/same-api/compact/trade.yml"})
    void shouldHoldTheSameValues(String schema) throws IOException {
        TradeBook classic = SameApi.classic();
        TradeBook views = SameApi.book(schema);
        IntStream.range(0, COUNT).forEach(classic::add);
        IntStream.range(0, COUNT).forEach(views::add);
        assertThat(views.trades())
                .usingElementComparator((one, other) -> one.getId() == other.getId()
                                && one.getTradeDate().equals(other.getTradeDate())
                                && one.getBuySell().equals(other.getBuySell())
                                && one.getCurrency1().equals(other.getCurrency1())
                                && one.getAmount1().equals(other.getAmount1())
                                && one.getExchangeRate() == other.getExchangeRate()
                                && one.getCurrency2().equals(other.getCurrency2())
                                && one.getAmount2().equals(other.getAmount2())
                                && one.getSettlementDate().equals(other.getSettlementDate())
                        ? 0
                        : 1)
                .containsExactlyElementsOf(classic.trades());
    }

    @Test
    void shouldKeepTheClassFreeOfMillrace() throws IOException {
        assertThat(Files.readString(Path.of("examples/java/trades/Trade.java"))).doesNotContain("io.millrace");
        assertThat(Files.readString(Path.of("examples/java/trades/TradeBook.java")))
                .doesNotContain("io.millrace");
    }
}
