package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.ir.Relation;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole numbers past 32 bits need no L, and those past 63 bits can be compared with fields that hold them. */
class WholeLiteralTest {

    private static final Schema SCHEMA = new Schema(
            "numbers",
            34,
            List.of(
                    whole("wide", 5, false, 0),
                    whole("big", 8, false, 5),
                    whole("other", 8, false, 13),
                    whole("signed", 8, true, 21),
                    whole("small", 1, false, 29),
                    whole("legs[1].n", 4, true, 30)),
            List.of());

    private static Field whole(String name, int bytes, boolean signed, int at) {
        return Field.of(name, new FieldType.IntegerType(IntStorage.of(bytes, signed, Records.BIG)), at);
    }

    private static Map<String, Object> row(Object big, Object other) {
        return Map.of("wide", 500_000_000_000L, "big", big, "other", other, "signed", Long.MIN_VALUE, "small", 7L);
    }

    private static boolean holds(String condition, Map<String, ?> row) {
        Map<String, Object> whole = new HashMap<>(row);
        whole.put("legs[1].n", 3L);
        return !new Records(SCHEMA).add(whole).kept(condition).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wide == 500000000000",
                "wide == 500000000000L",
                "500000000000==wide",
                "wide == 0x746A528800",
                "wide between {499999999999, 500000000001}",
                "{1, 500000000000}.contains(wide)",
                "wide + 3000000000 == 503000000000",
                "wide > 499999999999.5",
                "wide < 5.1e+11",
                "wide * 1e-000000000011 == 5.0",
                "signed == -9223372036854775808",
                "signed < 00000000000000000000001",
                "big == 18446744073709551615",
                "0xFFFFFFFFFFFFFFFF == big",
                "big > 9223372036854775807 and big != 18446744073709551614",
                "big > 5 and big > -1 and big != null",
                "big < 99999999999999999999",
                "other < big and !(other >= big)",
                "small < 18446744073709551616",
                "legs[1].n == 3",
                "'500000000000' == '500000000000'",
            })
    void shouldHold(String condition) {
        assertThat(holds(condition, row(BigInteger.TWO.pow(64).subtract(BigInteger.ONE), BigInteger.TWO.pow(63))))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wide == 500000000000 and unknown == 1 | UNKNOWN_FIELD | 25",
                "wide + 99999999999999999999 > 1       | SYNTAX        | 7",
                "wide > 9223372036854775808 + 1        | SYNTAX        | 7",
                "legs[3000000000].n == 3               | UNKNOWN_FIELD | 0",
                "wide == é3000000000                   | UNKNOWN_FIELD | 8",
                "wide == 500000000000x                 | SYNTAX        | 8",
                "signed > -9223372036854775809         | SYNTAX        | 10",
                "wide == 99999999999999999999L         | SYNTAX        | 8",
            })
    void shouldRefuseWithCodeAndPlace(String condition, ErrorCode code, int position) {
        assertThatExceptionOfType(ExpressionException.class)
                .isThrownBy(() -> new ExpressionCompiler(SCHEMA).filter(condition))
                .satisfies(refused ->
                        assertThat(refused.code()).as(refused.getMessage()).isEqualTo(code))
                .satisfies(refused -> assertThat(refused.position()).isEqualTo(position));
    }

    @Test
    void shouldShowUnsignedDecimalsAsTheyAre() {
        FieldType cents = new FieldType.DecimalType(IntStorage.of(8, false, Records.BIG), 2);
        RecordBatch batch = new RecordBatch(new Schema("cents", 8, List.of(Field.of("c", cents, 0)), List.of()));
        byte[] record = new byte[8];
        Arrays.fill(record, (byte) -1);
        batch.fill(record, 0, 1, 0, 1);
        List<String> rejects = new ArrayList<>();
        new ExpressionCompiler(batch.schema())
                .filter("c * 2 > 1")
                .loop()
                .apply(batch, (_, _, reason) -> rejects.add(reason.detail()));
        assertThat(rejects).singleElement(STRING).contains("with c=184467440737095516.15:");
    }

    @Test
    void shouldNameWhatIsWritten() {
        assertThatExceptionOfType(ExpressionException.class)
                .isThrownBy(() -> new ExpressionCompiler(SCHEMA).filter("wide == é3000000000"))
                .withMessageContaining("'é3000000000'");
    }

    @Test
    void shouldCompareUnsignedNumbersAsTheyAre() {
        Random random = new Random(38);
        List<BigInteger> numbers = new ArrayList<>(List.of(BigInteger.ZERO, BigInteger.ONE));
        for (int power : new int[] {31, 32, 62, 63}) {
            BigInteger two = BigInteger.TWO.pow(power);
            numbers.addAll(List.of(two.subtract(BigInteger.ONE), two, two.add(BigInteger.ONE)));
        }
        numbers.add(BigInteger.TWO.pow(64).subtract(BigInteger.ONE));
        IntStream.range(0, 20).forEach(_ -> numbers.add(new BigInteger(64, random)));
        for (Relation relation : Relation.values()) {
            for (BigInteger constant : numbers) {
                BigInteger left = numbers.get(random.nextInt(numbers.size()));
                BigInteger right = numbers.get(random.nextInt(numbers.size()));
                Map<String, Object> row = row(left, right);
                String symbol = " " + relation.tag() + " ";
                assertThat(holds("big" + symbol + constant, row)).isEqualTo(relation.holds(left.compareTo(constant)));
                assertThat(holds(constant + symbol + "big", row)).isEqualTo(relation.holds(constant.compareTo(left)));
                assertThat(holds("big" + symbol + "other", row)).isEqualTo(relation.holds(left.compareTo(right)));
            }
        }
    }
}
