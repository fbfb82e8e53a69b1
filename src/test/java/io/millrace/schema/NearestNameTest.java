package io.millrace.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {

    private static final List<String> KNOWN = List.of("amount1", "amount2", "buySell", "currency1", "id", "tradeDate");

    @Test
    void shouldGuessWhatWasMeant() {
        assertThat(NearestName.hint("curency1", KNOWN)).isEqualTo(". Did you mean 'currency1'?");
        assertThat(NearestName.advice("BUYSEL", KNOWN)).isEqualTo("did you mean 'buySell'?");
    }

    @Test
    void shouldPreferSwappedNeighbours() {
        assertThat(NearestName.of("fiel", List.of("field", "file"))).isEqualTo("file");
        assertThat(NearestName.of("kye", List.of("add", "key"))).isEqualTo("key");
    }

    @Test
    void shouldNotSuggestWhatWasGiven() {
        assertThat(NearestName.hint("buySell", KNOWN)).isEqualTo(".");
        assertThat(NearestName.of("amount1", KNOWN)).isEqualTo("amount2");
    }

    @Test
    void shouldNotGuessWhereNothingIsNear() {
        assertThat(NearestName.of("region", KNOWN)).isNull();
        assertThat(NearestName.of("x", List.of("y"))).isNull();
        assertThat(NearestName.hint("region", KNOWN)).isEqualTo(".");
    }

    @Test
    void shouldShowWhatThereIsInstead() {
        assertThat(NearestName.advice("XXX", List.of("AUD", "CHF", "EUR", "GBP", "JPY", "USD")))
                .isEqualTo("there are 'AUD', 'CHF', 'EUR', 'GBP', 'JPY' and 1 more");
        assertThat(NearestName.advice("region", List.of("a", "b"))).isEqualTo("there are 'a', 'b'");
        assertThat(NearestName.advice("region", List.of())).isEmpty();
    }
}
