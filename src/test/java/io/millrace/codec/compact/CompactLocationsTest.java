package io.millrace.codec.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.json.JsonToCompact;
import io.millrace.codec.record.FieldBytes;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of each value and part, as the page marks them. */
class CompactLocationsTest {

    private static final Schema ORDER = SchemaReader.read("order.yml", """
            schema: order
            layout: compact
            fields:
              - { name: id, type: u8 }
              - { name: open, type: boolean }
              - { name: text, type: string, length: 9, optional: true }
              - name: party
                type: group
                optional: true
                fields:
                  - { name: name, type: string, length: 9 }
                  - { name: tags, type: u8, repeat: many }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: amount, type: u8 }
                  - { name: flags, type: boolean, repeat: many }
                  - { name: kind, type: string, length: 2, frequent: [A, B], optional: true }
            """.getBytes(StandardCharsets.UTF_8));

    private static byte[] bytes(String json) {
        JsonToCompact writer = new JsonToCompact(ORDER);
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        writer.append(text, 0, text.length);
        return writer.encoder().toBytes();
    }

    private static List<FieldBytes> find(byte[] record) {
        byte[] around = new byte[record.length + 5];
        Arrays.fill(around, (byte) 0x7F);
        System.arraycopy(record, 0, around, 3, record.length);
        return new CompactCodec(ORDER).locator().find(around, 3, 3 + record.length);
    }

    @Test
    void shouldLocateBooleansWhoseBitIsNotWrittenInTheLastByteOfTheBits() {
        StringBuilder yaml = new StringBuilder("schema: bits\nlayout: compact\nfields:\n");
        for (int i = 0; i < 7; i++) {
            yaml.append("  - { name: f" + i + ", type: u8, optional: true }\n");
        }
        yaml.append("  - { name: open, type: boolean }\n  - { name: id, type: u8 }\n");
        Schema schema = SchemaReader.read("bits.yml", yaml.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(new CompactCodec(schema).locator().find(new byte[] {0, 9}, 0, 2))
                .containsExactly(new FieldBytes("open", 0, 1), new FieldBytes("id", 1, 1));
        assertThat(new CompactCodec(schema).locator().find(new byte[] {(byte) 0x80, 1, 9}, 0, 3))
                .containsExactly(new FieldBytes("open", 1, 1), new FieldBytes("id", 2, 1));
    }

    @Test
    void shouldLocateValuesInTheirParts() {
        byte[] record = bytes("""
                {"id":7,"open":true,"party":{"name":"xy","tags":[3,4]},
                 "legs":[{"amount":5,"kind":"B"},{"amount":6,"flags":[true]}]}""");
        List<FieldBytes> found = find(record);
        assertThat(found)
                .extracting(FieldBytes::name)
                .containsExactly(
                        "id",
                        "open",
                        "party",
                        "party.name",
                        "party.tags",
                        "party.tags[0]",
                        "party.tags[1]",
                        "legs",
                        "legs[0]",
                        "legs[0].amount",
                        "legs[0].kind",
                        "legs[1]",
                        "legs[1].amount",
                        "legs[1].flags",
                        "legs[1].flags[0]");
        assertThat(value(record, found, "id")).containsExactly(7);
        assertThat(value(record, found, "open")).containsExactly(record[0]);
        assertThat(value(record, found, "party.name")).containsExactly(2, 'x', 'y');
        assertThat(value(record, found, "party.tags[1]")).containsExactly(4);
        assertThat(value(record, found, "legs[0].amount")).containsExactly(5);
        assertThat(value(record, found, "legs[0].kind")).containsExactly(2);
        assertThat(value(record, found, "legs[1].flags[0]")).containsExactly(1);
        // Parts begin with their length, and contain what is in them.
        for (String part : List.of("party", "party.tags", "legs", "legs[0]", "legs[1]")) {
            byte[] whole = value(record, found, part);
            assertThat((int) whole[0]).as(part).isEqualTo(whole.length - 1);
        }
        FieldBytes legs = found.get(7);
        assertThat(legs.offset() + legs.length()).isEqualTo(record.length);
    }

    private static byte[] value(byte[] record, List<FieldBytes> found, String name) {
        FieldBytes place = found.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        return Arrays.copyOfRange(record, place.offset(), place.offset() + place.length());
    }

    @Test
    void shouldLocateALimitedNumberOfValues() {
        String leg = "{\"amount\":1}";
        byte[] record =
                bytes("{\"id\":1,\"open\":false,\"legs\":[" + String.join(",", Collections.nCopies(9000, leg)) + "]}");
        assertThat(find(record))
                .hasSizeBetween(2000, 2002)
                .first()
                .extracting(FieldBytes::name)
                .isEqualTo("id");
    }
}
