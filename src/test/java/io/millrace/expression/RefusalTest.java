package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.ExpressionLimits;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused, with which code and at which place. */
class RefusalTest {

    private final ExpressionCompiler compiler = new ExpressionCompiler(Trades.SCHEMA);

    private static ExpressionException refused(ThrowingCallable call) {
        return Objects.requireNonNull(catchThrowableOfType(ExpressionException.class, call), "not refused");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "id >                                   | SYNTAX | 3",
                "id > 5 5                               | SYNTAX | 7",
                "id + 99999999999999999999 > 5          | SYNTAX | 5",
                "id == 'open                            | SYNTAX | 6",
                "curency1 == 'GBP'                      | UNKNOWN_FIELD | 0",
                "id > 5 and legs[1].amount > 5          | UNKNOWN_FIELD | 11",
                "currency1 > 5                          | TYPE_MISMATCH | 10",
                "currency1 == 5                         | TYPE_MISMATCH | 10",
                "id == 'x'                              | TYPE_MISMATCH | 3",
                "tradeDate == 5                         | TYPE_MISMATCH | 10",
                "id + 'x' == 5                          | TYPE_MISMATCH | 3",
                "-currency1 == 5                        | TYPE_MISMATCH | 0",
                "+currency1 == 5                        | TYPE_MISMATCH | 0",
                "id and true                            | TYPE_MISMATCH | 0",
                "!id                                    | TYPE_MISMATCH | 1",
                "id ? true : false                      | TYPE_MISMATCH | 0",
                "id between 5                           | TYPE_MISMATCH | 11",
                "id between {1, 2, 3}                   | TYPE_MISMATCH | 3",
                "{}.contains(id)                        | TYPE_MISMATCH | 0",
                "(id > 5 ? 1 : 'x') == 1                | TYPE_MISMATCH | 8",
                "amount1 * amount1 * amount1 * amount1 * amount1 * amount1 * amount1 * amount1 * amount1 * amount1 *"
                        + " amount1 * amount1 * amount1 * amount1 * amount1 * amount1 * amount1 * amount1 * amount1 > 0 |"
                        + " TYPE_MISMATCH | 178",
                "id                                     | NOT_BOOLEAN | 0",
                "currency1 == 'XXX'                     | UNKNOWN_NAME | 10",
                "{'GBP', 'gbp'}.contains(currency1)     | UNKNOWN_NAME | 0",
                "tradeDate > '21.07.2014'               | BAD_CONSTANT | 10",
                "amount1 == 10.005                      | BAD_CONSTANT | 8",
                "id != 5.5                              | BAD_CONSTANT | 3",
                "{1.25, 1.255}.contains(amount1)        | BAD_CONSTANT | 0",
                "9223372036854775807L + 1 > id          | BAD_CONSTANT | 21",
                "amount1 * 1e300 > 0                    | BAD_CONSTANT | 8",
                "amount1 > 1e400                        | BAD_CONSTANT | 10",
                "exchangeRate > 1e400                   | BAD_CONSTANT | 15",
                "amount1 > 1e-400                       | BAD_CONSTANT | 10",
                "amount1 + 1e999999999 > 0              | BAD_CONSTANT | 10",
                "amount1 > 1e-99999999                  | BAD_CONSTANT | 10",
                "exchangeRate > 1e99999999999           | BAD_CONSTANT | 15",
                "currency1.contains('\uD83D')           | BAD_CONSTANT | 19",
                "currency1.replaceAll('a', 'b') == 'x'  | NOT_ALLOWED | 10",
                "currency1.replace('a', 'b') == 'x'     | UNKNOWN_NAME | 28",
                "currency1.getBytes() == 3              | NOT_ALLOWED | 10",
                "currency1.bytes == 3                   | UNKNOWN_FIELD | 10",
                "currency1.length(1) == 3               | TYPE_MISMATCH | 10",
                "currency1.startsWith() or large        | TYPE_MISMATCH | 10",
                "currency1.startsWith(5)                | TYPE_MISMATCH | 10",
                "currency1.startsWith(null)             | TYPE_MISMATCH | 10",
                "currency1.substring('x') == 'GBP'      | TYPE_MISMATCH | 10",
                "currency1.substring(1.5) == 'GBP'      | TYPE_MISMATCH | 10",
                "currency1.substring(4) == 'GBP'        | BAD_CONSTANT | 10",
                "currency1.substring(2, 1) == 'GBP'     | BAD_CONSTANT | 10",
                "'GBP'.substring(4) == currency1        | BAD_CONSTANT | 6",
                "currency1.toLowerCase() == 'GBP'       | UNKNOWN_NAME | 24",
                "id.length() == 5                       | NOT_ALLOWED | 3",
                "null.length() == 5                     | NOT_ALLOWED | 5",
                "id?.x == 5                             | UNKNOWN_FIELD | 4",
                "currency1 matches buySell              | NOT_ALLOWED | 18",
                "currency1 matches '(G)\\1'           | BAD_CONSTANT | 22",
                "id matches 'G.*'                       | TYPE_MISMATCH | 3",
                "tradeDate.yeer == 2014                 | UNKNOWN_FIELD | 10",
                "tradeDate.lengthOfMonth == 30          | UNKNOWN_FIELD | 10",
                "tradeDate.plusDay(1) > settlementDate  | UNKNOWN_FUNCTION | 10",
                "tradeDate.dayOfWeek.length() > 5       | UNKNOWN_FUNCTION | 20",
                "tradeDate.plusDays(1.5) > tradeDate    | TYPE_MISMATCH | 10",
                "tradeDate.plusDays() > tradeDate       | TYPE_MISMATCH | 10",
                "tradeDate.getYear(1) == 2014           | TYPE_MISMATCH | 10",
                "tradeDate.isBefore(id)                 | TYPE_MISMATCH | 10",
                "tradeDate.isBefore(null)               | TYPE_MISMATCH | 10",
                "tradeDate.isBefore('soon')             | BAD_CONSTANT | 10",
                "tradeDate.dayOfWeek == 'CATURDAY'      | UNKNOWN_NAME | 20",
                "#f(id) == 5                            | UNKNOWN_FUNCTION | 0",
                "#houer(id) == 5                        | UNKNOWN_FUNCTION | 0",
                "#hour(id) == 5                         | TYPE_MISMATCH | 0",
                "#minute() == 5                         | TYPE_MISMATCH | 0",
                "#date('21.07.2014') > tradeDate        | BAD_CONSTANT | 0",
                "#date(tradeDate) > tradeDate           | TYPE_MISMATCH | 0",
                "#instant(id) > tradeDate               | TYPE_MISMATCH | 0",
                "8e                                     | SYNTAX | 0",
                "id*id-0e                               | SYNTAX | 0",
                "id > 8e+                               | SYNTAX | 0",
            })
    void shouldRefuseWithCodeAndPlace(String expression, ErrorCode code, int position) {
        ExpressionException refusal = refused(() -> compiler.filter(expression));
        assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(code);
        assertThat(refusal.position()).as(refusal.getMessage()).isEqualTo(position);
    }

    /**
     * In a thread with the smallest stack that the JVM has: the compiled parser needs less than the interpreted one.
     */
    @ParameterizedTest
    @MethodSource
    void shouldRefuseMoreLevelsThanThereIsStackFor(String expression) throws InterruptedException {
        AtomicReference<ExpressionException> refusal = new AtomicReference<>();
        Thread thread =
                new Thread(null, () -> refusal.set(refused(() -> compiler.filter(expression))), "small-stack", 1);
        thread.start();
        thread.join();
        assertThat(refusal.get()).extracting(ExpressionException::code).isEqualTo(ErrorCode.TOO_LARGE);
    }

    /** Its text is in the class that is compiled for it, and takes three bytes for each character. */
    @Test
    void shouldCompileTheLongestExpression() {
        Schema schema = new Schema(
                "notes",
                60_000,
                List.of(Field.of("note", new FieldType.StringType(60_000, StandardCharsets.UTF_8, (byte) ' '), 0)),
                List.of());
        String longest = "note == '" + "\u20AC".repeat(ExpressionLimits.LENGTH_MAX - 10) + "'";
        assertThat(longest).hasSize(ExpressionLimits.LENGTH_MAX);
        assertThat(new ExpressionCompiler(schema).filter(longest)).isNotNull();
    }

    static Stream<String> shouldRefuseMoreLevelsThanThereIsStackFor() {
        String sum = "id+".repeat(6000) + "id";
        return Stream.of(
                "id" + "?".repeat(ExpressionLimits.LENGTH_MAX - 10),
                sum + " > 5",
                "#abs(" + sum + ") > 5",
                "#unknown(" + sum + ") > 5",
                "id[" + sum + "] > 5",
                "{" + sum + "}.contains(5)");
    }

    /** The parser calls itself for each of them. */
    @ParameterizedTest
    @ValueSource(strings = {"?", "??", "!", "-", "not ", "id ? ", "id ?: ", "+", "@a.", "a.", "^", "{"})
    void shouldRefuseWhatIsNestedTooDeepForTheParser(String repeated) {
        for (int length : new int[] {500, ExpressionLimits.LENGTH_MAX - 10}) {
            String expression = "id" + repeated.repeat(length / repeated.length());
            assertThat(refused(() -> compiler.filter(expression)).code())
                    .isIn(ErrorCode.TOO_LARGE, ErrorCode.SYNTAX, ErrorCode.NOT_ALLOWED, ErrorCode.UNKNOWN_FIELD);
            String prefix = repeated.repeat(length / repeated.length()) + "id";
            assertThat(refused(() -> compiler.filter(prefix)).code())
                    .isIn(ErrorCode.TOO_LARGE, ErrorCode.SYNTAX, ErrorCode.NOT_ALLOWED, ErrorCode.UNKNOWN_FIELD);
        }
    }

    @Test
    void shouldSayWhereAndWhatToDo() {
        assertThat(refused(() -> compiler.filter("id > 5 and curency1 == 'GBP'")))
                .hasMessage("""
                    MR1002: schema trade has no field 'curency1'
                      id > 5 and curency1 == 'GBP'
                                 ^
                    did you mean 'currency1'?\
                    """);
        assertThat(refused(() -> compiler.filter("currency1 == 'GPB'")).hint()).contains("'GBP'");
        assertThat(refused(() -> compiler.filter("tradeDate.yeer == 2014")).hint())
                .isEqualTo("did you mean 'year'?");
        assertThat(refused(() -> compiler.filter("tradeDate.plusDay(1) > tradeDate")))
                .hasMessage("""
                    MR1012: a date has no .plusDay(...)
                      tradeDate.plusDay(1) > tradeDate
                                ^
                    did you mean 'plusDays'?\
                    """);
        assertThat(refused(() -> compiler.filter("tradeDate.plusDays('1') > tradeDate")))
                .hasMessage("""
                    MR1003: .plusDays(...) can't be applied to the text '1'
                      tradeDate.plusDays('1') > tradeDate
                                ^
                    write .plusDays(whole number)\
                    """);
    }

    @Test
    void shouldHaveADifferentCodeForEachMistake() {
        assertThat(ErrorCode.values()).extracting(ErrorCode::code).doesNotHaveDuplicates();
    }

    @Test
    void shouldBoundLengthDepthListsAndCode() {
        String brackets = "(".repeat(2000) + "id" + ")".repeat(2000) + " > 5";
        String minuses = "- ".repeat(100) + "id > 5";
        String calls = "currency1" + ".trim()".repeat(500) + " == 'GBP'";
        String list = "{" + "1,".repeat(1024) + "2}.contains(id)";
        String longText = "id > 5" + " ".repeat(ExpressionLimits.LENGTH_MAX);
        for (String expression : List.of(brackets, minuses, calls, list, longText)) {
            ExpressionException refusal = refused(() -> compiler.filter(expression));
            assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(ErrorCode.TOO_LARGE);
        }
        List<String> many =
                IntStream.range(0, 600).mapToObj(i -> "amount1 * " + i + " < 0").toList();
        // More than the JIT compiler takes for one loop: there are several.
        assertThat(compiler.router(many).codeBytes()).isGreaterThan(8_000);
        assertThat(compiler.filter("id > 5" + " or id == 7".repeat(300))).isNotNull();
        assertThat(compiler.filter("{" + "1,".repeat(1022) + "2}.contains(id)")).isNotNull();
    }

    @Test
    void shouldRefuseComputedFieldsThatBlowUpOrNeedThemselves() {
        IntStorage storage = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
        Schema schema = new Schema(
                "virtual",
                8,
                List.of(Field.of("a", new FieldType.IntegerType(storage), 0)),
                List.of(
                        new VirtualField("v0", "a + 1"),
                        new VirtualField("v1", "v0 * v0 + v0 * v0 + v0 * v0 + v0 * v0 + v0 * v0"),
                        new VirtualField("v2", "v1 * v1 + v1 * v1 + v1 * v1 + v1 * v1 + v1 * v1"),
                        new VirtualField("v3", "v2 * v2 + v2 * v2 + v2 * v2 + v2 * v2 + v2 * v2"),
                        new VirtualField("v4", "v3 * v3 + v3 * v3 + v3 * v3 + v3 * v3 + v3 * v3"),
                        new VirtualField("x", "y + 1"),
                        new VirtualField("y", "x + 1")));
        ExpressionCompiler virtual = new ExpressionCompiler(schema);
        assertThat(virtual.filter("v1 > 5")).isNotNull();
        assertThat(virtual.filter("v3 > 5").codeBytes()).isLessThan(8000);
        // What is too large alone can't be split.
        String sum = sum(1, 1500) + " > 5";
        ExpressionException large = refused(() -> virtual.router(List.of("a > 5", sum, "a > 6")));
        assertThat(large.code()).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(large.expression()).isEqualTo(sum);
        assertThat(refused(() -> virtual.filter("v4 > 5")).code()).isEqualTo(ErrorCode.TOO_LARGE);
        ExpressionException recursion = refused(() -> virtual.filter("x > 5"));
        assertThat(recursion.code()).isEqualTo(ErrorCode.RECURSION);
        assertThat(recursion.expression()).isEqualTo("x + 1");
    }

    /** Returns a sum of different terms, in as few levels as possible. */
    private static String sum(int from, int to) {
        int middle = (from + to) / 2;
        return from == to ? "a * " + from : "(" + sum(from, middle) + " + " + sum(middle + 1, to) + ")";
    }

    /** Each field has two branches of the one before it: unfolded they would be 2^60 texts. */
    @Test
    void shouldRefuseComputedTextsThatBlowUp() {
        List<VirtualField> computed = new ArrayList<>(List.of(new VirtualField("v0", "large ? name : '-'")));
        for (int i = 1; i <= 60; i++) {
            computed.add(new VirtualField("v" + i, "large ? v%1$s : v%1$s.trim()".formatted(i - 1)));
        }
        Schema schema = new Schema(
                "branches",
                9,
                List.of(
                        Field.of("large", new FieldType.BooleanType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN)), 0),
                        Field.of("name", new FieldType.StringType(8, StandardCharsets.US_ASCII, (byte) ' '), 1)),
                computed);
        String all =
                IntStream.rangeClosed(0, 60).mapToObj(i -> "v" + i + " == 'x'").collect(Collectors.joining(" or "));
        assertThat(refused(() -> new ExpressionCompiler(schema).filter(all)).code())
                .isEqualTo(ErrorCode.TOO_LARGE);
    }

    /** A zero may be written with any exponent. */
    @Test
    void shouldTakeZeroWithAnyExponent() {
        assertThat(compiler.filter("amount1 > 0e99999999999")
                        .expressions()
                        .getFirst()
                        .form())
                .isEqualTo(compiler.filter("amount1 > 0.0")
                        .expressions()
                        .getFirst()
                        .form());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "id        | exchangeRate | NOT_ASSIGNABLE",
                "id        | null         | NOT_ASSIGNABLE",
                "currency1 | 5            | NOT_ASSIGNABLE",
                "currency1 | buySell      | NOT_ASSIGNABLE",
                "tradeDate | id           | NOT_ASSIGNABLE",
                "currency1 | 'XXX'        | UNKNOWN_NAME",
                "amount1   | 1.005        | BAD_CONSTANT",
                "tradeDate | '1969-12-31' | BAD_CONSTANT",
                "tradeDate | '2149-06-07' | BAD_CONSTANT",
            })
    void shouldRefuseAssignmentsThatCanNeverWork(String target, String expression, ErrorCode code) {
        Field field = Objects.requireNonNull(Trades.SCHEMA.field(target));
        assertThat(refused(() -> compiler.setter(List.of(new Assignment(field, expression))))
                        .code())
                .isEqualTo(code);
    }

    @Test
    void shouldRefuseKeysWithoutAWholeValue() {
        assertThat(refused(() -> compiler.keys("exchangeRate")).code()).isEqualTo(ErrorCode.NO_KEY);
        assertThat(refused(() -> compiler.orderKeys("'text'")).code()).isEqualTo(ErrorCode.NO_KEY);
        assertThat(refused(() -> compiler.resultType("null")).code()).isEqualTo(ErrorCode.NOT_ASSIGNABLE);
    }
}
