package io.millrace.schema.evolution;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaDifferenceTest {

    private static final String BASE = """
            schema: sale
            fields:
              - { name: time,   type: instant, as: i64, unit: ms }
              - { name: shop,   type: u8 }
              - { name: amount, type: decimal, scale: 2, as: i64 }
            """;

    private static Schema schema(String yaml) {
        String name = yaml.lines().findFirst().orElseThrow().substring("schema: ".length());
        return SchemaReader.read(name + ".yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unit: ms        | unit: us         | field 'time' changed from instant i64 MILLISECONDS at byte 0 to instant i64 MICROSECONDS at byte 0",
                "name: shop      | name: store      | field 'shop' (integer u8 at byte 8) was removed; field 'store' was added (integer u8 at byte 8)",
                "scale: 2, as    | scale: 3, as     | field 'amount' changed from decimal i64 scale 2 at byte 9 to decimal i64 scale 3 at byte 9",
                "type: u8 }      | type: u16 }      | field 'shop' changed from integer u8 at byte 8 to integer u16 at byte 8; field 'amount' changed from decimal i64 scale 2 at byte 9 to decimal i64 scale 2 at byte 10; records of 17 bytes are stored, of 18 bytes are configured",
                "type: u8 }      | type: u8, optional: true } | field 'shop' changed from integer u8 at byte 8 to integer u8, optional (absent is 255) at byte 8",
                "type: u8 }      | type: u8, optional: true, absent: flag } | field 'shop' changed from integer u8 at byte 8 to integer u8, optional with a null flag at byte 8; field 'amount' changed from decimal i64 scale 2 at byte 9 to decimal i64 scale 2 at byte 10; records of 17 bytes are stored, of 18 bytes are configured",
            })
    void shouldNameTheFieldsThatDiffer(String part, String replacement, String differences) {
        SchemaDescription stored = SchemaDescription.of(schema(BASE));
        SchemaDescription configured = SchemaDescription.of(schema(BASE.replace(part.strip(), replacement.strip())));
        assertThat(String.join("; ", SchemaDifference.between(stored, configured)))
                .isEqualTo(differences);
    }

    @Test
    void shouldDistinguishANullFlagFromTheNumberZero() {
        String zero = BASE.replace("as: i64 }", "as: i64, optional: true, absent: 0 }");
        List<String> differences = SchemaDifference.between(
                SchemaDescription.of(schema(zero)),
                SchemaDescription.of(schema(zero.replace("absent: 0", "absent: flag"))));
        assertThat(differences)
                .first()
                .isEqualTo("field 'amount' changed from decimal i64 scale 2, optional (absent is 0) at byte 9"
                        + " to decimal i64 scale 2, optional with a null flag at byte 9");
    }

    @Test
    void shouldFindNoDifferenceWhereTheFingerprintIsTheSame() {
        assertThat(SchemaDifference.between(
                        SchemaDescription.of(schema(BASE)),
                        SchemaDescription.of(schema(BASE.replace("schema: sale", "schema: sales")))))
                .isEmpty();
    }

    @Test
    void shouldDescribeOnlyAddedFieldsOfTaggedRecords() {
        Schema accounting = Schemas.builtIn().get("radius-accounting");
        Field id = Objects.requireNonNull(Schemas.builtIn().get("trade").field("id"));
        Field added = Field.of("zone", id.type(), 0);
        SchemaDescription plain = SchemaDescription.of(accounting.stored());
        SchemaDescription extended =
                SchemaDescription.of(accounting.extend(added).stored());
        assertThat(plain.fields()).isEmpty();
        assertThat(SchemaDifference.between(plain, extended))
                .isEqualTo(List.of("field 'zone' was added (integer i64 at byte 0)"));
    }
}
