package io.millrace.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FingerprintTest {

    private static final String TEXT = """
            schema: t
            fields:
              - { name: id, type: u32, at: 0 }
              - { name: price, type: decimal, scale: 2, as: i32, at: 4, optional: true, absent: 1 }
              - { name: side, type: enum, values: [Buy, Sell], at: 8 }
              - { name: day, type: date, at: 9 }
              - { name: text, type: string, length: 4, at: 12 }
            """;

    private static long fingerprint(String yaml) {
        return SchemaReader.read("t.yml", yaml.getBytes(StandardCharsets.UTF_8)).fingerprint();
    }

    private static String changed(String from, String to) {
        String changed = TEXT.replace(from, to);
        assertThat(changed).isNotEqualTo(TEXT);
        return changed;
    }

    @Test
    void shouldNeverChangeFromReleaseToRelease() {
        assertThat(Schemas.builtIn().get("trade").fingerprintHex()).isEqualTo("2e05997cd940bd0e");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            name: id           | name: ident
            length: 4, at: 12  | length: 4, at: 11
            type: u32          | type: i32
            type: u32          | type: u24
            type: u32          | type: u32, order: little
            type: u32          | type: f32
            type: u32          | type: u32, bits: 0..30
            scale: 2           | scale: 3
            [Buy, Sell]        | [Sell, Buy]
            [Buy, Sell]        | [Buy, Sell, Both]
            as: i32            | as: u24
            absent: 1          | absent: 2
            , optional: true, absent: 1 | , max: 5
            length: 4          | length: 5
            length: 4          | length: 4, charset: latin1
            length: 4          | length: 4, pad: zero
            type: date         | type: u16
            schema: t          | length: 17\\nschema: t
            """)
    void shouldChangeWith(String from, String to) {
        assertThat(fingerprint(changed(from, to.replace("\\n", "\n")))).isNotEqualTo(fingerprint(TEXT));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            type: u32     | type: u32, label: ID
            type: u32     | type: u32, min: 5, max: 7
            type: date    | type: date, format: dd/MM/yyyy
            length: 4     | length: 4, pattern: '[a-z]*', required: true
            schema: t     | layout: fixed\\nschema: t
            fields:       | fields:\\n  - { name: twice, virtual: id * 2 }
            """)
    void shouldNotChangeWith(String from, String to) {
        assertThat(fingerprint(changed(from, to.replace("\\n", "\n")))).isEqualTo(fingerprint(TEXT));
    }

    @Test
    void shouldNotChangeWithTheOrderOfTheText() {
        List<String> lines = TEXT.lines().toList();
        StringBuilder turned = new StringBuilder("schema: t\nfields:\n");
        for (int i = lines.size() - 1; i >= 2; i--) {
            turned.append(lines.get(i)).append('\n');
        }

        assertThat(fingerprint(turned.toString())).isEqualTo(fingerprint(TEXT));
    }
}
