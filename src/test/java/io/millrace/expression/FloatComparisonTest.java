package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A field of 4 bytes is compared as a double, as in SpEL: constants that it never equals are refused. */
class FloatComparisonTest {

    private static final Schema SCHEMA = SchemaReader.read(
            "t.yml",
            "schema: t\nfields: [{ name: f, type: f32 }, { name: d, type: f64 }]".getBytes(StandardCharsets.UTF_8));

    private static int matches(String condition) {
        byte[] record = RecordCodec.of(SCHEMA).blank();
        RecordCodec.of(SCHEMA).codec("f").setText(record, 0, "26.3");
        RecordCodec.of(SCHEMA).codec("d").setText(record, 0, "26.3");
        RecordBatch batch = new RecordBatch(SCHEMA);
        batch.fill(record, 0, 1, 0, 1);
        new ExpressionCompiler(SCHEMA).filter(condition).loop().apply(batch, (_, _, reason) -> {
            throw new AssertionError(reason);
        });
        return batch.selected();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            f == 26.3               | 26.3       | write 26.299999237060547, which is the f32 26.3, or compare with < or >
            26.3 != f               | 26.3       | write 26.299999237060547, which is the f32 26.3, or compare with < or >
            {1.5, 26.3}.contains(f) | 26.3       | write 26.299999237060547, which is the f32 26.3, or compare with < or >
            f == 16777217           | 1.6777217E7 | write 1.6777216E7, which is the f32 1.6777216E7, or compare with < or >
            f == 1e39               | 1.0E39     | use a number in the range of f32
            """)
    void shouldRefuseAConstantThatNoF32Equals(String condition, String constant, String hint) {
        assertThatExceptionOfType(ExpressionException.class)
                .isThrownBy(() -> matches(condition))
                .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BAD_CONSTANT))
                .satisfies(refused -> assertThat(refused.getMessage())
                        .contains("invalid constant '" + constant + "' for field 'f': no f32 equals this double"))
                .satisfies(refused -> assertThat(refused.hint()).isEqualTo(hint));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "f == 26.299999237060547",
                "f != 26.25",
                "f != 16777216",
                "f < 26.3",
                "f > 26.2",
                "d == 26.3",
                "f < d",
                "f between {26.2, 26.3}"
            })
    void shouldCompareAsSpelDoes(String condition) {
        assertThat(matches(condition)).isOne();
    }

    @Test
    void shouldWriteTheDigitsThatWereRead() {
        byte[] record = RecordCodec.of(SCHEMA).blank();
        RecordCodec.of(SCHEMA).codec("f").setText(record, 0, "26.3");
        assertThat(RecordCodec.of(SCHEMA).codec("f").text(record, 0)).isEqualTo("26.3");
        assertThat(RecordCodec.of(SCHEMA).codec("f").value(record, 0)).isEqualTo(26.3f);
    }
}
