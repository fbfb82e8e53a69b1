package io.millrace.store.region;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.schema.Schemas;
import java.util.List;
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
}
