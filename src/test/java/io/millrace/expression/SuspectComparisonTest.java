package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Comparisons that are valid but probably a mistake have a warning, and others have none. */
class SuspectComparisonTest {

    private static final IntStorage U8 = IntStorage.of(1, false, Records.BIG);

    private static final Schema SCHEMA = new Schema(
            "readings",
            30,
            List.of(
                    Field.of("level", new FieldType.IntegerType(U8), 0),
                    Field.of("limit", new FieldType.IntegerType(U8), 1).withNullFlag(),
                    Field.of("fee", new FieldType.DecimalType(IntStorage.of(2, true, Records.BIG), 2), 4),
                    Field.of("big", new FieldType.IntegerType(IntStorage.of(8, false, Records.BIG)), 6),
                    Field.of("f", new FieldType.FloatType(4, Records.BIG), 14),
                    Field.of("d", new FieldType.FloatType(8, Records.BIG), 18)),
            List.of());

    private static List<String> warnings(String condition) {
        return new ExpressionCompiler(SCHEMA)
                .filter(condition)
                .expressions()
                .getFirst()
                .warnings();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "level > 300            | 'level > 300' is always false: 'level' holds 0 to 255.",
                "300 < level            | 'level > 300' is always false: 'level' holds 0 to 255.",
                "level > 255            | 'level > 255' is always false: 'level' holds 0 to 255.",
                "level < 0              | 'level < 0' is always false: 'level' holds 0 to 255.",
                "level == 300           | 'level == 300' is always false: 'level' holds 0 to 255.",
                "level != -1            | 'level != -1' is always true: 'level' holds 0 to 255.",
                "not (level <= 300)     | 'level <= 300' is always true: 'level' holds 0 to 255.",
                "limit < 256            | 'limit < 256' is always true: 'limit' holds 0 to 255.",
                "limit > 255            | 'limit > 255' is always false: 'limit' holds 0 to 255.",
                "fee > 400              | 'fee > 400.00' is always false: 'fee' holds -327.68 to 327.67.",
                "{1, 300}.contains(level) | 'level' never equals 300: it holds 0 to 255.",
                "f >= 26.3              | 'f >= 26.3' excludes records with 26.3: an f32 stores it as 26.299999237060547."
                        + " Compare with 26.299999237060547.",
                "26.3 > f               | 'f < 26.3' includes records with 26.3: an f32 stores it as 26.299999237060547."
                        + " Compare with 26.299999237060547.",
                "f <= 0.1               | 'f <= 0.1' excludes records with 0.1: an f32 stores it as 0.10000000149011612."
                        + " Compare with 0.10000000149011612.",
            })
    void shouldWarn(String condition, String warning) {
        assertThat(warnings(condition)).containsExactly(warning);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "level >= 0 and level <= 255",
                "level between {0, 255}",
                "level > 0 and level < 255",
                "limit < 0",
                "limit <= -1",
                "limit >= 0",
                "limit != 5",
                "{0, 255}.contains(level)",
                "fee > 327.66",
                "big > 18446744073709551614",
                "big >= 0",
                "f >= 0.1",
                "f > 26.3",
                "f <= 26.3",
                "f >= 26.5",
                "f > 1e39",
                "d >= 26.3",
            })
    void shouldNotWarn(String condition) {
        assertThat(warnings(condition)).isEmpty();
    }

    @Test
    void shouldWarnOnceOfEach() {
        assertThat(warnings("level > 300 or level > 300 or level == 256")).hasSize(2);
    }
}
