package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is reported about a compiled expression, in addition to its typed form. */
class ExplanationTest {

    private static final FieldType FLAGS = new FieldType.IntegerType(
            IntStorage.of(2, false, ByteOrder.LITTLE_ENDIAN).slice(3, 9));

    private static final Schema SCHEMA = Trades.SCHEMA
            .extend(Field.of("seen", new FieldType.InstantType(i64(), TimeUnit.SECONDS), 0))
            .extend(Field.of("note", new FieldType.StringType(6, StandardCharsets.US_ASCII, (byte) ' '), 0)
                    .asOptional(0))
            .extend(Field.of("flags", FLAGS, 0))
            .extend(Field.of("cents", new FieldType.DecimalType(i64(), 2), 0));

    private final ExpressionCompiler compiler = new ExpressionCompiler(SCHEMA);

    private static IntStorage i64() {
        return IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "currency1 != 'JPY'                  | code 6 = 'JPY'",
                "currency1 < 'CHF'                   | code 0 = '', code 1 = 'AUD', code 2 = 'CAD'",
                "currency1 < ''                      | code -9223372036854775808 = past all values",
                "(currency1 ?: 'USD') == 'USD'       | code 0 = '', code 7 = 'USD'",
                "amount1 > 1000000                   | decimal2 100000000 = 1000000.00",
                "amount1 >= 1000000.005              | decimal2 100000000 = 1000000.00",
                "{1.005, 2, 3.5}.contains(-amount1)  | decimal2 200 = 2.00, decimal2 350 = 3.50",
                "tradeDate >= '2014-07-21'           | date 16272 = 2014-07-21",
                "seen > '2014-07-21T10:00:00Z'       | instant_seconds 1405936800 = 2014-07-21T10:00:00Z",
                "seen == '2014-07-21T10:00:00.5Z'    | instant_seconds 9223372036854775807 = past all values",
                "id == -(2 + 3) * 4                  | whole -20 = -20",
                "id > 7 or id > 7                    | whole 7 = 7",
                "exchangeRate > 1.5                  | double 1.5 = 1.5",
                "exchangeRate > 1.23456789012345678  | double 1.2345678901234567 = 1.23456789012345678",
                "note == 'LSE'                       | text 'LSE' = 'LSE'",
                "{'a','b','c','d','e'}.contains(note) | text 'a' = 'a', text 'b' = 'b', text 'c' = 'c', text 'd' = 'd',"
                        + " text 'e' = 'e'",
                "id == null                          | boolean 0 = false",
                "large                               | decimal2 100000000 = 1000000.00",
            })
    void shouldSayWhatConstantsStandFor(String expression, String constants) {
        assertThat(only(compiler.filter(expression)).constants().stream()
                        .map(constant -> constant.type() + " " + constant.raw() + " = " + constant.meaning())
                        .collect(Collectors.joining(", ")))
                .isEqualTo(constants);
    }

    @Test
    void shouldSayWhereTheFieldsLieThatAreRead() {
        Explanation explanation =
                only(compiler.filter("note == 'x' and total > 0 and flags == 1 and seen == null and amount1 > 5"));

        assertThat(explanation.reads())
                .containsExactly(
                        new FieldPlace("note", "string US-ASCII", true, true, 8, 6, null),
                        new FieldPlace("amount1", "decimal2 i64", false, false, 12, 8, null),
                        new FieldPlace("amount2", "decimal2 i64", false, false, 29, 8, null),
                        new FieldPlace("flags", "u16le[3..11]", false, true, 14, 2, null));
        assertThat(explanation.type()).isEqualTo("boolean");
    }

    @Test
    void shouldSayHowAValueGoesIntoItsField() {
        Compiled<BatchSetter> setter = compiler.setter(List.of(set("cents", "id"), set("cents", "amount1 * 0.5")));

        assertThat(setter.expressions())
                .extracting(Explanation::form)
                .containsExactly(
                        "(set cents (scale*100 decimal2 id))", "(set/10 cents (mul decimal3 amount1 decimal1:5))");
        assertThat(setter.expressions()).extracting(Explanation::expression).containsExactly("id", "amount1 * 0.5");
    }

    @Test
    void shouldReportTheFormThatAnOrderIsMadeOf() {
        assertThat(only(compiler.orderKeys("currency1")).form())
                .isEqualTo("(by-code whole currency1 [0, 1, 2, 3, 4, 5, 6, 7])");
        assertThat(only(compiler.keys("currency1")).form()).isEqualTo("currency1");
    }

    @Test
    void shouldReportEachExpressionOfALoopAndTheSizeOfAll() {
        Compiled<BatchRouter> both = compiler.router(List.of("id > 5", "currency1 == 'GBP'"));

        assertThat(both.expressions())
                .extracting(Explanation::form)
                .containsExactly("(gt id 5)", "(eq currency1 code:5)");
        assertThat(both.codeBytes())
                .isGreaterThan(compiler.router(List.of("id > 5")).codeBytes())
                .isLessThan(8000);
    }

    private static Explanation only(Compiled<?> compiled) {
        assertThat(compiled.expressions()).hasSize(1);
        return compiled.expressions().getFirst();
    }

    private static Assignment set(String target, String expression) {
        return new Assignment(Objects.requireNonNull(SCHEMA.field(target)), expression);
    }
}
