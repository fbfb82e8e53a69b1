package io.millrace.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaTextTest {

    private static final String ALL_TYPES = """
        schema: all
        fields:
          - { name: a, type: u40, order: little, optional: true, absent: 7 }
          - { name: b, type: decimal, scale: 3, as: i32 }
          - { name: c, type: date, as: u16, format: dd/MM/yyyy, label: "The \\"C\\"" }
          - { name: d, type: instant, unit: us, optional: true }
          - { name: e, type: enum, as: u16, values: { 1: Start, 300: Lost } }
          - { name: kept, type: enum, values: [On], unknown: keep, optional: true }
          - { name: f, type: boolean, bits: 7 }
          - { name: g, type: f32, order: little }
          - { name: h, type: f64, optional: true }
          - { name: i, type: string, length: 5, charset: latin1, pad: zero }
          - { name: j, type: bytes, length: 3 }
          - { name: k, type: ipv6 }
          - { name: l, type: u8, optional: true, absent: flag }
          - { name: m, type: string, length: 2, optional: true, absent: flag }
          - name: legs
            type: group
            repeat: 2
            fields:
              - { name: bits, type: u16, bits: 3..9 }
        """;

    @Test
    void shouldReadBackEachTypeOfField() {
        Schema all = SchemaReader.read("all.yml", ALL_TYPES.getBytes(StandardCharsets.UTF_8));
        for (Schema schema : List.of(all, Schemas.builtIn().get("trade"))) {
            Schema read = SchemaText.read(SchemaText.write(schema));
            assertThat(read.fingerprint()).isEqualTo(schema.fingerprint());
            assertThat(read.fields())
                    .map(Field::type)
                    .isEqualTo(schema.fields().stream().map(Field::type).toList());
            assertThat(read.recordLength()).isEqualTo(schema.recordLength());
            assertThat(read.fields())
                    .map(Field::label)
                    .isEqualTo(schema.fields().stream().map(Field::label).toList());
            assertThat(read.fields())
                    .map(Field::nullRaw)
                    .isEqualTo(schema.fields().stream().map(Field::nullRaw).toList());
            assertThat(read.fields())
                    .map(Field::nullFlag)
                    .isEqualTo(schema.fields().stream().map(Field::nullFlag).toList());
            assertThat(read.fields())
                    .map(Field::format)
                    .isEqualTo(schema.fields().stream().map(Field::format).toList());
        }
    }
}
