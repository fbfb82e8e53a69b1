package io.millrace.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.SchemaDescription;
import io.millrace.schema.SchemaReader;
import io.millrace.store.catalog.StoredDefinition.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The state of a measure contains the bytes of its keys, without their schema. */
class MeasureDefinitionTest {

    private static final String ROWS = """
            schema: volume
            fields:
              - { name: kind,  type: enum, values: [Power, Gas] }
              - { name: meter, type: u16 }
              - { name: count, type: i64 }
            """;

    private static StoredDefinition measure(String rows) {
        return new StoredDefinition(
                Kind.MEASURE,
                Map.of("by", "kind, meter"),
                SchemaDescription.of(SchemaReader.read("volume.yml", rows.getBytes(StandardCharsets.UTF_8))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Gas]      | Gas, Heat]    | schema: field 'kind' changed: 2 'Heat' was added                  | false",
                "Gas]      | NaturalGas]   | schema: field 'kind' changed: 1 'Gas' became 'NaturalGas'         | false",
                "Power, Gas| Gas, Power    | schema: field 'kind' changed: 0 'Power' became 'Gas', 1 'Gas' became 'Power' | true",
                "u16       | u32           | schema: field 'meter' changed from integer u16 at byte 1 to integer u32 at byte 1 | true",
            })
    void shouldContinueIfTheBytesOfKeysMeanTheSame(String part, String other, String change, boolean refused) {
        DefinitionChange found = DefinitionChange.between(measure(ROWS), measure(ROWS.replace(part, other)));

        assertThat(found.isRefused()).isEqualTo(refused);
        assertThat(found.all()).contains(change);
    }
}
