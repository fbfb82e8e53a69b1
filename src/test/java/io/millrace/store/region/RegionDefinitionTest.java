package io.millrace.store.region;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.schema.yaml.Schemas;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionDefinitionTest {

    /** Records of a tagged schema have no bytes of a common length, by which the largest number is computed. */
    @ParameterizedTest
    @CsvSource({"radius-accounting, 1 to 67108864", "trade, 1 to 1720740"})
    void shouldRefuseBlocksWithoutRecords(String schema, String allowed) {
        assertThatThrownBy(() -> new RegionDefinition(
                        "kept",
                        Layout.BLOCKS,
                        0,
                        false,
                        Schemas.builtIn().get(schema),
                        List.of(),
                        null,
                        0,
                        BlockEncoding.ROWS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid block-records '0' of region 'kept'. Use %s.", allowed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "ENTRIES | amount | | Unknown field 'amount' for 'latest' of region 'kept' in schema 'trade'. Did you mean"
                        + " 'amount1'?",
                "ENTRIES | exchangeRate | | Invalid field 'exchangeRate' for 'latest' of region 'kept'. Use a required"
                        + " integer, decimal, date or instant.",
                "ENTRIES | buySell | | Invalid field 'buySell' for 'latest' of region 'kept'. Use a required integer,"
                        + " decimal, date or instant.",
                "ENTRIES | tradeDate | id == 1 | Region 'kept' has both 'latest' and 'remove'. Use one of them: after a"
                        + " removal, nothing is stored that an older record could be compared with.",
                "BLOCKS | tradeDate | | 'latest' has no effect in region 'kept', whose records have no key. Use 'layout:"
                        + " entries', or remove it."
            })
    void shouldRefuseAFieldThatDoesNotOrderRecords(
            Layout layout, String latest, @Nullable String remove, String message) {
        assertThatThrownBy(() -> new RegionDefinition(
                        "kept",
                        layout,
                        0,
                        false,
                        Schemas.builtIn().get("trade"),
                        List.of("id"),
                        remove,
                        latest,
                        16,
                        BlockEncoding.ROWS,
                        Retention.FOREVER,
                        Memory.HEAP,
                        List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefuseSeveralCopiesOfEntriesInTheOrderOfAField() {
        assertThatThrownBy(() -> new RegionDefinition(
                        "kept",
                        Layout.ENTRIES,
                        2,
                        false,
                        Schemas.builtIn().get("trade"),
                        List.of("id"),
                        null,
                        "tradeDate",
                        16,
                        BlockEncoding.ROWS,
                        Retention.FOREVER,
                        Memory.HEAP,
                        List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Invalid redundant-copies '2' of region 'kept' with 'latest'. Use 0 or 1:");
    }
}
