package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.pipeline.tap.Tap.Tapped;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TapDecoderTest {

    @Test
    void shouldShowARecordOfTooManyValuesByItsBytesOnly() {
        Schema schema = SchemaReader.read("s.yml", """
                schema: s
                layout: compact
                fields:
                  - name: legs
                    type: group
                    repeat: many
                    fields:
                      - { name: values, type: u8, repeat: many }
                """.getBytes(StandardCharsets.UTF_8));
        // 17 legs, each with 65,535 values.
        int values = 65_535;
        byte[] leg = new byte[3 + 1 + 3 + 3 + values];
        write(leg, 0, leg.length - 3);
        leg[3] = 1;
        write(leg, 4, values + 3);
        write(leg, 7, values);
        byte[] record = new byte[1 + 4 + 1 + 17 * leg.length];
        record[0] = 1;
        int length = record.length - 5;
        record[1] = (byte) 0xE0;
        record[2] = (byte) (length >>> 16);
        record[3] = (byte) (length >>> 8);
        record[4] = (byte) length;
        record[5] = 17;
        for (int i = 0; i < 17; i++) {
            System.arraycopy(leg, 0, record, 6 + i * leg.length, leg.length);
        }

        TapEvent event = new TapDecoder(schema).decode(new Tapped(1, 1, record));

        assertThat(event.record()).isEmpty();
        assertThat(event.bytes()).hasSize(2 * record.length);
    }

    /** Writes a varint of three bytes. */
    private static void write(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (0xC0 | value >>> 16);
        bytes[at + 1] = (byte) (value >>> 8);
        bytes[at + 2] = (byte) value;
    }
}
