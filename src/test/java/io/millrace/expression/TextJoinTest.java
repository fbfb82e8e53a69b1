package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Joined and replaced texts, single characters and names of enums, where stock SpEL needs another form. */
class TextJoinTest {

    private static final int RECORDS = 40;

    private static void agrees(RandomTexts texts, String ours, String stock) {
        Records records = new Records(texts.schema());
        for (int i = 0; i < RECORDS; i++) {
            records.add(texts.row());
        }
        Map<Integer, RejectReason> rejects = new HashMap<>();
        List<Integer> kept = records.kept(ours, rejects);
        RecordBatch batch = records.batch();
        StockSpel spel = new StockSpel(stock);
        for (int i = 0; i < RECORDS; i++) {
            Map<String, @Nullable Object> record = records.decode(batch, i);
            Boolean expected = spel.answer(record);
            RejectReason reject = rejects.get(i);
            if (reject != null && reject.detail().contains("surrogate pair")) {
                continue;
            }
            assertThat(reject == null ? (Boolean) kept.contains(i) : null)
                    .as("%s over %s: %s", ours, record, reject)
                    .isEqualTo(expected);
        }
    }

    @Property(tries = 300, seed = "20261126")
    void shouldJoinTextsAndRejectAbsentOnes(@ForAll long seed) {
        Random random = new Random(seed);
        RandomTexts texts = new RandomTexts(random);
        String first = "t" + random.nextInt(7);
        String second = random.nextInt(3) == 0 ? "'€-a'" : "t" + random.nextInt(7);
        String relation = List.of(" == ", " != ", " < ", " >= ").get(random.nextInt(4));
        String third = "t" + (2 + random.nextInt(5));
        agrees(
                texts,
                "(" + first + " + " + second + " + 'b').length()" + relation + "(" + third + " + 'ab').length()",
                first + ".concat(" + second + ").concat('b').length()" + relation + third + ".concat('ab').length()");
        agrees(
                texts,
                "'x' + " + third + " + " + third + relation + "'x' + " + first,
                "'x'.concat(" + third + ").concat(" + third + ")" + relation + "'x'.concat(" + first + ")");
    }

    @Property(tries = 200, seed = "20261127")
    void shouldReturnCharacters(@ForAll long seed) {
        Random random = new Random(seed);
        RandomTexts texts = new RandomTexts(random);
        // Enums: a part that no name of the dictionary has is refused.
        String text = "t" + (2 + random.nextInt(5));
        int index = random.nextInt(4);
        String character = random.nextBoolean() ? "'a'" : "'é'";
        String stock = text + ".substring(" + index + ", " + (index + 1) + ") == " + character;
        Assume.that(isAccepted(texts.schema(), stock));
        agrees(texts, text + ".charAt(" + index + ") == " + character, stock);
    }

    private static boolean isAccepted(Schema schema, String rule) {
        try {
            new ExpressionCompiler(schema).filter(rule);
            return true;
        } catch (ExpressionException e) {
            assertThat(e.code()).as(rule).isEqualTo(ErrorCode.BAD_CONSTANT);
            return false;
        }
    }

    @Test
    void shouldReturnTheNameOfAnEnum() {
        Records records = new Records(Trades.SCHEMA);
        for (int day = 0; day < 7; day++) {
            records.add(Map.of("tradeDate", LocalDate.of(2026, 11, 23).plusDays(day)));
        }
        ExpressionCompiler compiler = new ExpressionCompiler(Trades.SCHEMA);
        assertThat(compiler.resultType("currency1.name()")).isEqualTo(compiler.resultType("currency1"));
        for (DayOfWeek day : DayOfWeek.values()) {
            assertThat(records.kept("tradeDate.dayOfWeek.name() == '" + day + "'"))
                    .containsExactly(day.getValue() - 1);
        }
        // As texts, all days but FRIDAY itself come after FRIDAY.
        assertThat(records.kept("tradeDate.dayOfWeek.name() > 'FRIDAY'")).containsExactly(0, 1, 2, 3, 5, 6);
    }

    @Test
    void shouldBeAsWideAsTheTextsTogether() {
        ExpressionCompiler compiler = new ExpressionCompiler(new RandomTexts(new Random(5)).schema());
        FieldType.StringType second = (FieldType.StringType) compiler.resultType("t2");
        FieldType.StringType both = (FieldType.StringType) compiler.resultType("t2 + '-' + t2");
        assertThat(both.bytes()).isEqualTo(2 * second.bytes() + 1);
        assertThat(((FieldType.StringType) compiler.resultType("t2 + '€'")).charset())
                .isEqualTo(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "currency1 + id == 'GBP5'            | operator '+' can't be applied to",
                "'a' + null == 'a'                   | operator '+' can't be applied to",
                "currency1 - 'B' == 'G'              | operator '-' can't be applied to",
                "currency1.replace('', 'x') == 'a'   | two constant texts",
                "currency1.replace('a') == 'a'       | takes 2 arguments",
                "currency1.charAt('a') == 'a'        | takes a whole number",
                "currency1.name(1) == 'a'            | .name(...) can't be applied to",
                "tradeDate.name() == 'a'             | has no .name(...)",
            })
    void shouldRefuse(String rule, String problem) {
        assertThatThrownBy(() -> new ExpressionCompiler(Trades.SCHEMA).filter(rule))
                .isInstanceOf(ExpressionException.class)
                .hasMessageContaining(problem);
    }
}
