package io.millrace.store.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.RandomSchemas;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Blocks of columns have the bytes that they had on 2026-11-28, when each step of writing them was a plain loop over
 * the values of one column.
 */
class ColumnBytesTest {

    private static final int SCHEMAS = 200;

    private static final Schema EDGES = SchemaReader.read("edges.yml", """
            schema: edges
            layout: fixed
            byte-order: big
            fields:
              - { name: number,   type: i64 }
              - { name: optional, type: i64, optional: true, absent: -1 }
              - { name: real,     type: f64 }
              - { name: rate,     type: f64, optional: true }
              - { name: small,    type: u8 }
              - { name: text,     type: string, length: 12 }
            """.getBytes(StandardCharsets.UTF_8));

    private static final List<Long> EXTREMES = List.of(Long.MIN_VALUE, Long.MAX_VALUE, 0L, -1L, 1L, Long.MIN_VALUE + 1);

    @ParameterizedTest
    @CsvSource({
        "1, 1d18a8a0",
        "63, 74db12eb",
        "64, ff5e15c2",
        "65, 74e05b9",
        "255, df085eb3",
        "256, 1f4e7efa",
        "257, 79b56978",
        "1000, fe86b319"
    })
    void shouldWriteRandomRecords(int count, String expected) {
        CRC32C crc = new CRC32C();
        for (int seed = 0; seed < SCHEMAS; seed++) {
            Random random = new Random(seed * 31L + count);
            Schema schema = (seed % 2 == 0 ? RandomSchemas.next(random) : RandomSchemas.optional(random)).stored();
            crc.update(block(schema, RandomRows.of(schema, count, random), count));
        }
        assertThat(Long.toHexString(crc.getValue())).isEqualTo(expected);
    }

    /**
     * Each field has one of these kinds of values: all equal, all distinct, rising, falling, extreme, or absent; in all
     * combinations of two kinds.
     */
    @ParameterizedTest
    @CsvSource({"0, 14ebdba", "1, 5be965b4", "2, 6703034a", "300, bb45222e", "4096, 6be9bbc3"})
    void shouldWriteEdgeValues(int count, String expected) {
        CRC32C crc = new CRC32C();
        int length = EDGES.recordLength();
        for (int kinds = 0; kinds < 36; kinds++) {
            byte[] rows = new byte[count * length];
            for (int i = 0; i < count; i++) {
                long one = value(kinds % 6, i);
                long other = value(kinds / 6, i);
                RawBytes.putLong(rows, i * length, one);
                RawBytes.putLong(rows, i * length + 8, other);
                RawBytes.putLong(rows, i * length + 16, one);
                RawBytes.putLong(rows, i * length + 24, Double.doubleToRawLongBits(other / 100.0));
                rows[i * length + 32] = (byte) one;
                RawBytes.putLong(rows, i * length + 33, other);
            }
            crc.update(block(EDGES, rows, count));
        }
        assertThat(Long.toHexString(crc.getValue())).isEqualTo(expected);
    }

    private static long value(int kind, int record) {
        return switch (kind) {
            case 0 -> 42;
            case 1 -> record * 0x9E37_79B9_7F4A_7C15L;
            case 2 -> 1_000_000_000_000L + 7L * record;
            case 3 -> -3L * record;
            case 4 -> EXTREMES.get(record % EXTREMES.size());
            default -> -1;
        };
    }

    private static byte[] block(Schema schema, byte[] rows, int count) {
        ColumnBlockWriter writer = new ColumnBlockWriter(schema, null, Math.max(1, count));
        writer.append(new RecordBatch(schema).fill(rows, 0, count, 0, rows.length), 0);
        byte[] block = writer.seal(0, rows.length);
        assertThat(Block.open(block, schema).count()).isEqualTo(count);
        return block;
    }
}
