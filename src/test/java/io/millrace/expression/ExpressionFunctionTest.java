package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.ExpressionLimits;
import io.millrace.expression.error.FunctionException;
import io.millrace.expression.function.ExpressionFunction;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionFunctionTest {

    /** An object with a state of its own. */
    public static final class ExpressionLimits {
        private final long limit;

        ExpressionLimits(long limit) {
            this.limit = limit;
        }

        public boolean within(long id) {
            return id <= limit;
        }

        public boolean over(long id) {
            return id > limit;
        }

        public boolean over(long id, long more) {
            return id > limit + more;
        }

        long hidden(long id) {
            return id;
        }

        public void nothing(long id) {}

        public String text(long id) {
            return Long.toString(id);
        }

        public float narrow(long id) {
            return id;
        }

        public long boxed(Long id) {
            return id;
        }

        public BigDecimal exact(long id) {
            return BigDecimal.valueOf(id, 3);
        }

        public static long plain(long id) {
            return id;
        }
    }

    /** A class that nobody else sees, behind an interface that all do. */
    private static final class Below implements LongPredicate {
        @Override
        public boolean test(long id) {
            return id < 2;
        }
    }

    /** A class that nobody else sees at all. */
    static final class Hidden {
        public long twice(long id) {
            return 2 * id;
        }
    }

    /** What can go wrong. */
    public static final class Faults {
        private Faults() {}

        public static long checked(long id) throws Exception {
            if (id >= 0) {
                throw new Exception("no desk " + id);
            }
            return id;
        }

        public static long late(long id) {
            if (id >= 0) {
                throw new ArithmeticException("too late");
            }
            return id;
        }

        public static long deep(long id) {
            return id >= 0 ? 1 + deep(id + 1) : id;
        }

        public static long fatal(long id) {
            if (id >= 0) {
                throw new UnsatisfiedLinkError("desk.so");
            }
            return id;
        }

        public static Instant far(long id) {
            return Instant.parse("2300-01-01T00:00:00Z");
        }

        public static String half(long id) {
            return "€😀".substring(0, 2 + (int) (id + 1) % 2);
        }

        public static BigDecimal fine(long id) {
            return new BigDecimal("0.125");
        }
    }

    private static final ExpressionFunction HALF = ExpressionFunction.ofStatic("half", SampleFunctions.class, "half");

    private static ExpressionCompiler compiler(ExpressionFunction... functions) {
        return new ExpressionCompiler(Trades.SCHEMA, FunctionRegistry.of(List.of(functions)));
    }

    private static ExpressionFunction fault(String method) {
        return ExpressionFunction.ofStatic(method, Faults.class, method);
    }

    private static Records trades(long count) {
        Records records = new Records(Trades.SCHEMA);
        for (long id = 0; id < count; id++) {
            records.add(Map.of("id", id, "exchangeRate", (double) id, "amount1", BigDecimal.valueOf(id)));
        }
        return records;
    }

    private static List<Integer> kept(
            String rule, Map<Integer, RejectReason> rejects, ExpressionFunction... functions) {
        RecordBatch batch = trades(4).batch();
        compiler(functions).filter(rule).loop().apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        return Records.alive(batch);
    }

    private static List<Integer> kept(String rule, ExpressionFunction... functions) {
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        List<Integer> kept = kept(rule, rejects, functions);
        assertThat(rejects).isEmpty();
        return kept;
    }

    private static ExpressionException refused(ThrowingCallable call) {
        return Objects.requireNonNull(catchThrowableOfType(ExpressionException.class, call), "not refused");
    }

    @Test
    void shouldCallTheMethodOfAnObject() {
        ExpressionFunction low = ExpressionFunction.of("low", new ExpressionLimits(1), "within");
        ExpressionFunction high = ExpressionFunction.of("high", new ExpressionLimits(2), "over", long.class);
        ExpressionFunction higher =
                ExpressionFunction.of("higher", new ExpressionLimits(1), "over", long.class, long.class);
        assertThat(kept("#low(id) or #high(id)", low, high)).containsExactly(0, 1, 3);
        assertThat(kept("#higher(id, 1)", higher)).containsExactly(3);
    }

    @Test
    void shouldCallWhatOnlyAnInterfaceShows() {
        LongUnaryOperator lambda = id -> id * 10;
        assertThat(kept("#below(id)", ExpressionFunction.of("below", new Below(), "test")))
                .containsExactly(0, 1);
        assertThat(kept("#ten(id) == 30", ExpressionFunction.of("ten", lambda, "applyAsLong")))
                .containsExactly(3);
    }

    @Test
    void shouldGiveStringsOfEveryKindOfText() {
        Schema schema = new Schema(
                        "texts",
                        12,
                        List.of(
                                Field.of("name", new FieldType.StringType(8, StandardCharsets.UTF_8, (byte) ' '), 0),
                                Field.of("ip", new FieldType.IpType(4), 8)),
                        List.of())
                .extend(Field.of("added", new FieldType.StringType(4, StandardCharsets.US_ASCII, (byte) 0), 0)
                        .asOptional(0));
        Records records = new Records(schema).add(Map.of("name", "Åsa", "ip", "10.0.0.1", "added", "ab"));
        records.add(Map.of("name", "", "ip", "10.0.10.1"));
        for (String same : List.of(
                "{0, 3}.contains(#size(name))",
                "{8, 9}.contains(#size(ip))",
                "{-1, 2}.contains(#size(added))",
                "#size(name.toUpperCase()) == name.length()",
                "{-1, 1}.contains(#size(added?.substring(1)))",
                "#size(null) == -1",
                "#size('four') == 4",
                "{3, -1}.contains(#size(name == 'Åsa' ? name : added))",
                "#size(name == '' ? 'long name' : null) == (name == '' ? 9 : -1)")) {
            RecordBatch batch = records.batch();
            new ExpressionCompiler(schema, SampleFunctions.REGISTRY)
                    .filter(same)
                    .loop()
                    .apply(batch, (_, _, reason) -> {
                        throw new AssertionError(reason);
                    });
            assertThat(Records.alive(batch)).as(same).containsExactly(0, 1);
        }
    }

    @Test
    void shouldAddFieldsOfResults() {
        ExpressionCompiler compiler = new ExpressionCompiler(Trades.SCHEMA, SampleFunctions.REGISTRY);
        assertThat(compiler.filter("#rank(currency1, id, true) > 5")
                        .expressions()
                        .getFirst()
                        .form())
                .isEqualTo("(gt (#rank whole currency1 id boolean:1) 5)");
        assertThat(compiler.resultType("#price(amount1)"))
                .isInstanceOfSatisfying(
                        FieldType.DecimalType.class,
                        type -> assertThat(type.scale()).isEqualTo(2));
        assertThat(compiler.resultType("#label(null, id)"))
                .isEqualTo(new FieldType.StringType(64, StandardCharsets.UTF_8, (byte) 0));
        assertThat(compiler.resultType("#nextDay(tradeDate)")).isInstanceOf(FieldType.DateType.class);
        assertThat(compiler.resultType("#later('2014-07-21T10:00:00Z')"))
                .isInstanceOfSatisfying(
                        FieldType.InstantType.class,
                        type -> assertThat(type.unit()).isEqualTo(TimeUnit.NANOSECONDS));
        assertThat(compiler.resultField("x", "#price(amount1)").optional()).isTrue();
        assertThat(compiler.resultField("x", "#narrow(id)").optional()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "checked | No result of '#checked(id) == null' with id=0: #checked failed: java.lang.Exception: no desk 0.",
                "late    | No result of '#late(id) == null' with id=0: #late failed: java.lang.ArithmeticException: too late.",
                "deep    | No result of '#deep(id) == null' with id=0: #deep failed: java.lang.StackOverflowError.",
                "far     | No result of '#far(id) == null' with id=0: #far gave 2300-01-01T00:00:00Z, which is not between 1677"
                        + " and 2262.",
            })
    void shouldRejectARecordThatAFunctionHasNoResultFor(String function, String detail) {
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        assertThat(kept("#" + function + "(id) == null", rejects, fault(function)))
                .isEmpty();
        assertThat(rejects).hasSize(4);
        assertThat(rejects.get(0)).isEqualTo(new RejectReason(RejectReason.Kind.EXPRESSION, detail));
    }

    @Test
    void shouldRejectMoreDigitsThanTheScaleHas() {
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        assertThat(kept("#fine(id) > 0", rejects, fault("fine").withScale(2))).isEmpty();
        assertThat(rejects.get(0))
                .extracting(RejectReason::detail)
                .asString()
                .contains(": #fine gave 0.125, more than 2 decimals");
        assertThat(kept("#fine(id) > 0", fault("fine").withScale(4))).hasSize(4);
    }

    @Test
    void shouldRejectAnIntThatIsNone() {
        Records records = new Records(Trades.SCHEMA).add(Map.of("id", 1L << 31, "exchangeRate", 0.0));
        RecordBatch batch = records.batch();
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        new ExpressionCompiler(Trades.SCHEMA, SampleFunctions.REGISTRY)
                .filter("#narrow(id) > 0")
                .loop()
                .apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        assertThat(rejects.get(0))
                .extracting(RejectReason::detail)
                .asString()
                .contains(": #narrow can't take 2147483648, an int is needed");
    }

    @Test
    void shouldPassErrorsOn() {
        assertThatThrownBy(() -> kept("#fatal(id) > 0", fault("fatal"))).isInstanceOf(UnsatisfiedLinkError.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "id > 0 and #rnk(currency1, id, true) > 5  | UNKNOWN_FUNCTION | 11 | did you mean 'rank'?",
                "#minut(id) > 5                            | UNKNOWN_FUNCTION | 0  | did you mean 'minute'?",
                "#rank(currency1, id) > 5                  | TYPE_MISMATCH    | 0  | write #rank(String, long, boolean)",
                "#rank(id, id, true) > 5                   | TYPE_MISMATCH    | 0  | write #rank(String, long, boolean)",
                "#rank(currency1, amount1, true) > 5       | TYPE_MISMATCH    | 0  | write #rank(String, long, boolean)",
                "#rank(currency1, null, true) > 5          | TYPE_MISMATCH    | 0  | write #rank(String, long, boolean)",
                "#rank(currency1, id, 1) > 5               | TYPE_MISMATCH    | 0  | write #rank(String, long, boolean)",
                "#narrow(3000000000L) > 5                  | TYPE_MISMATCH    | 0  | write #narrow(int)",
                "#half('1') > 5                            | TYPE_MISMATCH    | 0  | write #half(double)",
                "#nextDay(id) != null                      | TYPE_MISMATCH    | 0  | write #nextDay(LocalDate)",
                "#nextDay('tomorrow') != null              | BAD_CONSTANT     | 0  | write dates like '2014-07-21'",
                "#later(tradeDate) != null                 | TYPE_MISMATCH    | 0  | write #later(Instant)",
                "#price('1') > 5                           | TYPE_MISMATCH    | 0  | write #price(BigDecimal)",
                "#rank(currency1, id, true) == 'x'         | TYPE_MISMATCH    | 27 | write numbers without quotes",
            })
    void shouldRefuseWhatAFunctionDoesNotTake(String rule, ErrorCode code, int position, String hint) {
        ExpressionException refusal =
                refused(() -> new ExpressionCompiler(Trades.SCHEMA, SampleFunctions.REGISTRY).filter(rule));
        assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(code);
        assertThat(refusal.position()).as(refusal.getMessage()).isEqualTo(position);
        assertThat(refusal.hint()).isEqualTo(hint);
    }

    @Test
    void shouldSayWhatWasGiven() {
        assertThat(refused(() -> new ExpressionCompiler(Trades.SCHEMA, SampleFunctions.REGISTRY)
                        .filter("#half(currency1, 1) > 1")))
                .hasMessage("""
                        MR1003: #half(...) can't be applied to currency1, a name of a dictionary and the whole number 1
                          #half(currency1, 1) > 1
                          ^
                        write #half(double)""");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "missing | Function 'f': Unknown method 'missing' in class '",
                "hidden  | Function 'f': Unknown method 'hidden' in class '",
                "plain   | Function 'f': Unknown method 'plain' in class '",
                "over    | Function 'f': Ambiguous method 'over' in class '",
                "nothing | Function 'f': Invalid type 'void' of the result. Use one of: long, int, double, boolean, String, BigDecimal, ",
                "narrow  | Function 'f': Invalid type 'float' of the result. Use one of: long, ",
                "boxed   | Function 'f': Invalid type 'Long' of a parameter. Use one of: long, int, double, boolean, String, ",
            })
    void shouldSayWhyAMethodCanBeNoFunction(String method, String message) {
        assertThatThrownBy(() -> ExpressionFunction.of("f", new ExpressionLimits(1), method))
                .isInstanceOf(FunctionException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void shouldSayWhyAMethodCantBeReached() {
        assertThatThrownBy(() -> ExpressionFunction.of("f", new Hidden(), "twice"))
                .hasMessage("Function 'f': Method 'twice' is not accessible. Make class '" + Hidden.class.getName()
                        + "' public.");
        assertThatThrownBy(() -> ExpressionFunction.ofStatic("f", ExpressionLimits.class, "within"))
                .hasMessage("Function 'f': Unknown static method 'within' in class '" + ExpressionLimits.class.getName()
                        + "'. Use a public one.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "1a", "a.b", "a()+#b", "not", "#a", "a-b"})
    void shouldRefuseANameThatTheParserDoesNotTake(String name) {
        ExpressionFunction function = ExpressionFunction.of(name, new ExpressionLimits(1), "within");
        assertThatThrownBy(() -> FunctionRegistry.of(List.of(function)))
                .isInstanceOf(FunctionException.class)
                .hasMessageEndingWith("Invalid name. Use letters and digits.");
    }

    @Test
    void shouldRefuseNamesThatAreTaken() {
        ExpressionFunction once = ExpressionFunction.of("within", new ExpressionLimits(1), "within");
        ExpressionFunction hour = ExpressionFunction.of("hour", new ExpressionLimits(1), "within");
        assertThatThrownBy(() -> FunctionRegistry.of(List.of(once, once)))
                .hasMessage("Function 'within': Duplicate name. Rename one.");
        assertThatThrownBy(() -> FunctionRegistry.of(List.of(hour)))
                .hasMessage("Function 'hour': Duplicate name: a built-in function has it. Rename this one.");
    }

    @Test
    void shouldAskForTheWidthOfTexts() {
        ExpressionFunction text = ExpressionFunction.of("text", new ExpressionLimits(1), "text");
        assertThatThrownBy(() -> FunctionRegistry.of(List.of(text)))
                .hasMessage(
                        "Function 'text': Missing width of the result. Add its maximum bytes, such as .withWidth(20).");
        assertThatThrownBy(() -> text.withWidth(0)).hasMessage("Function 'text': Invalid width '0'. Use 1 to 4096.");
        assertThatThrownBy(() -> text.withScale(2))
                .hasMessage(
                        "Function 'text': A scale has no effect on a result of type 'String'. Use it with BigDecimal.");
        assertThat(kept("#text(id) == '2'", text.withWidth(1))).containsExactly(2);
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        assertThat(kept("#text(id * 5) < 'a'", rejects, text.withWidth(1))).containsExactly(0, 1);
        assertThat(rejects.get(2))
                .extracting(RejectReason::detail)
                .asString()
                .endsWith(": #text gave a text of more than 1 bytes.");
    }

    @Test
    void shouldRejectHalfOfASurrogatePair() {
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        assertThat(kept("#half(id) != ''", rejects, fault("half").withWidth(10)))
                .containsExactly(0, 2);
        assertThat(rejects.get(1))
                .extracting(RejectReason::detail)
                .asString()
                .contains(": #half gave half of a surrogate pair, which is not a text");
    }

    @Test
    void shouldSetFieldsToTexts() {
        Field name = Field.of("name", new FieldType.StringType(12, StandardCharsets.UTF_8, (byte) ' '), 0);
        Schema schema = new Schema("texts", 12, List.of(name), List.of());
        Records records = new Records(schema);
        List.of("a", "bcd€", "", "😀").forEach(value -> records.add(Map.of("name", value)));
        RecordBatch batch = records.batch();
        new ExpressionCompiler(schema, SampleFunctions.REGISTRY)
                .setter(List.of(new Assignment(name, "#label(name, 5)")))
                .loop()
                .apply(batch, (_, _, reason) -> {
                    throw new AssertionError(reason);
                });
        assertThat(Records.alive(batch))
                .extracting(ordinal -> records.decode(batch, ordinal).get("name"))
                .containsExactly("aß€1", "bcd€ß€1", "ß€1", "😀ß€1");
    }

    @Test
    void shouldAskForTheScaleOfDecimals() {
        ExpressionFunction exact = ExpressionFunction.of("exact", new ExpressionLimits(1), "exact");
        assertThatThrownBy(() -> FunctionRegistry.of(List.of(exact)))
                .hasMessage("Function 'exact': Missing scale of the result. Add its decimals, such as .withScale(2).");
        assertThat(kept("#exact(id) == 0.002", exact.withScale(3))).containsExactly(2);
        assertThatThrownBy(() -> exact.withScale(19)).hasMessage("Function 'exact': Invalid scale '19'. Use 0 to 18.");
        assertThatThrownBy(() -> fault("late").withScale(2))
                .hasMessage(
                        "Function 'late': A scale has no effect on a result of type 'long'. Use it with BigDecimal.");
    }

    @Test
    void shouldAllocateNothingForPrimitiveTypes() {
        ExpressionCompiler compiler = compiler(
                ExpressionFunction.of("within", new ExpressionLimits(500), "within"),
                ExpressionFunction.ofStatic("scaled", SampleFunctions.class, "scaled"),
                ExpressionFunction.ofStatic("narrow", SampleFunctions.class, "narrow"),
                ExpressionFunction.ofStatic("size", SampleFunctions.class, "size"));
        long perRecord = allocatedByThousandRecords(
                compiler.filter("#within(id) and #scaled(exchangeRate, 2) > #narrow(id) and #size(currency1) < 1")
                        .loop());
        assertThat(perRecord).isZero();
        assertThat(allocatedByThousandRecords(new ExpressionCompiler(Trades.SCHEMA)
                        .filter("tradeDate.plusMonths(id).dayOfYear > 20"
                                + " and settlementDate.dayOfWeek != 'SUNDAY' and tradeDate.withDayOfMonth(2).leapYear")
                        .loop()))
                .isZero();
    }

    /** Bytes that a run over a batch of a thousand records takes once the loop is compiled. */
    private static long allocatedByThousandRecords(BatchFilter filter) {
        RecordBatch batch = trades(1000).batch();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 300; i++) {
            batch.fill(batch.bytes(), batch.start(), batch.count(), 0, 0);
            long before = threads.getCurrentThreadAllocatedBytes();
            filter.apply(batch, (_, _, reason) -> {
                throw new AssertionError(reason);
            });
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    @Test
    void shouldTakeNullForAbsent() {
        assertThat(kept("#half(exchangeRate - 2) == null", HALF)).containsExactly(0, 1);
        assertThat(kept("(#half(exchangeRate - 2) ?: -5) == 0.5", HALF)).containsExactly(3);
        Map<Integer, RejectReason> rejects = new TreeMap<>();
        assertThat(kept("#half(exchangeRate - 2) + 1 > 0", rejects, HALF)).containsExactly(2, 3);
        assertThat(rejects.get(0))
                .extracting(RejectReason::detail)
                .asString()
                .endsWith(": (#half double (sub double exchangeRate 2.0)) is absent.");
    }
}
