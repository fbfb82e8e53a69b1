package io.millrace.schema.evolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaException;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which changes of a schema leave stored records readable. */
class SchemaEvolutionTest {

    private static final String SALE = """
            schema: sale
            fields:
              - { name: time,   type: instant, as: i64, unit: ms }
              - { name: shop,   type: u8 }
              - { name: kind,   type: enum, values: [Cash, Card] }
              - { name: amount, type: decimal, scale: 2, as: i32 }
              - { name: text,   type: string, length: 8 }
              - { name: low,    type: u8, optional: true }
            #later
            """;

    private static final String SWAP = """
            schema: swap
            layout: compact
            fields:
              - { name: id, type: u32 }
              - { name: book, type: string, length: 12, frequent: [EURIBOR, SOFR], optional: true }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: rate, type: f64, optional: true }
                  - { name: notional, type: decimal, scale: 2 }
              - { name: kind, type: enum, values: [Fix, Float] }
            #later
            """;

    private static SchemaEvolution between(String text, String part, String replacement) {
        String changed = text.replace(part.strip(), replacement.strip().replace("\\n", "\n"));
        assertThat(changed).isNotEqualTo(text);
        return SchemaEvolution.between(SchemaDescription.of(schema(text)), SchemaDescription.of(schema(changed)));
    }

    private static Schema schema(String yaml) {
        String name = yaml.lines().findFirst().orElseThrow().substring("schema: ".length());
        return SchemaReader.read(name + ".yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "type: u8 }        | type: u16 }                | field 'shop' changed from integer u8 at byte 8 to integer u16 at byte 8",
                "type: u8 }        | type: i32 }                | field 'shop' changed from integer u8 at byte 8 to integer i32 at byte 8",
                "[Cash, Card]      | [Cash, Card, Voucher]      | field 'kind' changed: 2 'Voucher' was added",
                "[Cash, Card]      | [Cash, Plastic]            | field 'kind' changed: 1 'Card' became 'Plastic'",
                "as: i32           | as: i64                    | field 'amount' changed from decimal i32 scale 2 at byte 10 to decimal i64 scale 2 at byte 10",
                "length: 8         | length: 12                 | field 'text' changed from string 8 US-ASCII 32 at byte 14 to string 12 US-ASCII 32 at byte 14",
                "length: 8         | length: 8, charset: utf8   | field 'text' changed from string 8 US-ASCII 32 at byte 14 to string 8 UTF-8 32 at byte 14",
                "name: shop,       | name: store, was: shop,    | field 'shop' was renamed 'store'",
                "- { name: shop,   type: u8 } | #               | field 'shop' (integer u8 at byte 8) was removed",
                "type: u8 }        | type: u8, optional: true, absent: flag } | field 'shop' changed from integer u8 at byte 8 to integer u8, optional with a null flag at byte 8",
                "type: u8 }        | type: u16, optional: true } | field 'shop' changed from integer u8 at byte 8 to integer u16, optional (absent is 65535) at byte 8",
                "type: u8, optional: true | type: u16, optional: true | field 'low' changed from integer u8, optional (absent is 255) at byte 22 to integer u16, optional (absent is 65535) at byte 22",
                "type: u8, optional: true | type: u16, optional: true, absent: 255 | field 'low' changed from integer u8, optional (absent is 255) at byte 22 to integer u16, optional (absent is 255) at byte 22",
                "#later            | \\n  - { name: tip, type: u8, optional: true, absent: flag } | field 'tip' was added (integer u8, optional with a null flag at byte 23)",
            })
    void shouldAcceptWhatKeepsEveryValue(String part, String replacement, String change) {
        SchemaEvolution evolution = between(SALE, part, replacement);
        assertThat(evolution.refused()).isEmpty();
        assertThat(evolution.accepted()).containsExactly(change);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unit: ms          | unit: us                   | : the stored numbers have another unit",
                "scale: 2          | scale: 4                   | : the stored numbers have another scale",
                "type: u8 }        | type: i8 }                 | : not all stored numbers fit",
                "as: i32           | as: i16                    | : not all stored numbers fit",
                "as: i32           | as: u64                    | : not all stored numbers fit",
                "[Cash, Card]      | [Card, Cash]               | Code 0 would have another meaning",
                "[Cash, Card]      | [Cash, Voucher, Card]      | Code 1 would have another meaning",
                "[Cash, Card]      | [Cash]                     | Code 1 would have no name",
                "length: 8         | length: 7                  | : not all stored texts fit",
                "length: 8         | length: 8, pad: zero       | : the stored texts have another padding",
                "type: u8 }        | type: string, length: 3 }  | field 'shop' changed from integer u8 at byte 8 to string 3",
                "type: u8 }        | type: u8, optional: true } | : a stored value can be the one that means absent. Use 'absent: flag'",
                "type: u8, optional: true | type: u8, optional: true, absent: 7 | : a stored value can be the one that means absent",
                "type: u8, optional: true | type: u8                   | : the field is required, and stored records may lack it",
                "#later            | \\n  - { name: tip, type: u8 } | : stored records have no value. Use 'optional: true' and 'absent: flag'",
                "name: shop,       | name: store,               | field 'store' was added (integer u8 at byte 8): stored records have no value",
            })
    void shouldRefuseWhatChangesAValue(String part, String replacement, String reason) {
        SchemaEvolution evolution = between(SALE, part, replacement);
        assertThat(evolution.refused()).hasSize(1).first().asString().contains(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "#later | \\n  - { name: note, type: string, length: 5, optional: true } | field 'note' was added (string 5 US-ASCII 0, optional)",
                "#later | \\n  - { name: books, type: string, length: 5, repeat: 3 } | field 'books[]' was added (list of values, optional)",
                "#later | \\n  - name: party\\n    type: group\\n    optional: true\\n    fields:\\n      - { name: bic, type: u8 } | field 'party' was added (group, optional)",
                "scale: 2 } | scale: 2 }\\n      - { name: cap, type: f64, optional: true } | field 'legs[].cap' was added (float 8 BIG_ENDIAN, optional)",
                "- { name: id, type: u32 } | - { name: note, type: u8, optional: true }\\n  - { name: id, type: u32 } | field 'note' was added (integer u8, optional)",
                "SOFR] | SOFR, SONIA] | field 'book' changed: 2 'SONIA' was added",
                "name: legs | name: parts\\n    was: legs | field 'legs[]' was renamed 'parts[]'",
                "scale: 2 } | scale: 2, optional: true } | field 'legs[].notional' changed from decimal i64 scale 2 to decimal i64 scale 2, optional",
                "- { name: rate, type: f64, optional: true } | # | field 'legs[].rate' (float 8 BIG_ENDIAN, optional) was removed",
            })
    void shouldAcceptWhatKeepsEveryValueOfACompactRecord(String part, String replacement, String change) {
        SchemaEvolution evolution = between(SWAP, part, replacement);
        assertThat(evolution.refused()).isEmpty();
        assertThat(evolution.accepted()).containsExactly(change);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "#later | \\n  - { name: note, type: string, length: 5 } | field 'note' was added (string 5 US-ASCII 0): stored records have no value. Use 'optional: true'",
                "EURIBOR, | SONIA, EURIBOR, | field 'book' changed: 0 'EURIBOR' became 'SONIA', 1 'SOFR' became 'EURIBOR', 2 'SOFR' was added",
                "f64, optional: true | f64 | field 'legs[].rate' changed from float 8 BIG_ENDIAN, optional to float 8 BIG_ENDIAN: the field is required, and stored records may lack it",
            })
    void shouldRefuseWhatChangesAValueOfACompactRecord(String part, String replacement, String change) {
        assertThat(between(SWAP, part, replacement).refused()).containsExactly(change);
    }

    @ParameterizedTest
    @CsvSource({"shop, store, shop", "shop, time, time"})
    void shouldRefuseAFormerNameThatIsInUse(String field, String name, String was) {
        String text = SALE.replace("name: " + field + ",  ", "name: " + name + "2, was: " + was + ",")
                .replace("#later", "\n  - { name: shop, type: u8 }");
        assertThatExceptionOfType(SchemaException.class)
                .isThrownBy(() -> schema(text))
                .withMessageContaining("Invalid former name '" + was + "'");
    }

    @Test
    void shouldFollowARenamingThroughVersions() {
        SchemaDescription first = SchemaDescription.of(schema(SALE));
        SchemaDescription second =
                SchemaDescription.of(schema(SALE.replace("name: shop,  ", "name: store, was: shop,")));
        assertThat(SchemaEvolution.sources(first, second)).containsEntry("store", "shop");
        // The former name stays in the file.
        SchemaDescription third = SchemaDescription.of(schema(SALE.replace("name: shop,  ", "name: store, was: shop,")
                .replace("#later", "\n  - { name: tip, type: u8, optional: true, absent: flag }")));
        assertThat(SchemaEvolution.sources(second, third)).containsEntry("store", "store");
        assertThat(SchemaEvolution.between(second, third).isAccepted()).isTrue();
    }
}
