package io.millrace.pipeline.step.enrich;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.pipeline.step.enrich.RowFinder.NumberKeys;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.table.LiveTable;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowFinderTest {

    private static final List<Long> BITS = List.of(5L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 0L);

    private static Schema schema(boolean signed) {
        return new Schema(
                "numbers",
                8,
                List.of(Field.of("n", new FieldType.IntegerType(IntStorage.of(8, signed, ByteOrder.BIG_ENDIAN)), 0)),
                List.of());
    }

    private static byte[] record(long bits) {
        byte[] record = new byte[8];
        RawBytes.putLong(record, 0, bits);
        return record;
    }

    private static BigInteger number(long bits, boolean signed) {
        return signed ? BigInteger.valueOf(bits) : new BigInteger(Long.toUnsignedString(bits));
    }

    /** Numbers are found where they are equal, whatever their bits are. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldFindRowsByNumber(boolean signed, boolean signedTable) {
        LiveTable table = new LiveTable("t", schema(signedTable), "n", "a test");
        List<BigInteger> rows = new ArrayList<>();
        BITS.forEach(bits -> {
            table.put(record(bits));
            rows.add(number(bits, signedTable));
        });
        byte[] records = new byte[8 * BITS.size()];
        for (int i = 0; i < BITS.size(); i++) {
            RawBytes.putLong(records, 8 * i, BITS.get(i));
        }
        RecordBatch batch = new RecordBatch(schema(signed)).fill(records, 0, BITS.size(), 0, 0);
        ExpressionCompiler compiler = new ExpressionCompiler(schema(signed));
        RowFinder finder = RowFinder.byNumber(
                compiler.bitKeys("n").loop(), NumberKeys.of(compiler.isUnsigned("n"), !signedTable), table.reader());
        long[] found = new long[BITS.size()];

        int missed = finder.find(batch, found, (_, _, reason) -> {
            throw new AssertionError(reason.detail());
        });

        int expected = 0;
        for (int i = 0; i < BITS.size(); i++) {
            BigInteger key = number(BITS.get(i), signed);
            assertThat(found[i] != finder.rows().absentRow()).as("%s", key).isEqualTo(rows.contains(key));
            assertThat(finder.key(i)).isEqualTo(key.toString());
            expected += rows.contains(key) ? 0 : 1;
        }
        assertThat(missed).isEqualTo(expected);
    }
}
