package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Products, sums, differences and chains of them over decimals of every width, against stock SpEL. A record is rejected
 * exactly if a step is past 128 bits, or the result does not fit the field that it is assigned to.
 */
class WideDecimalTest {

    private static final int RECORDS = 40;
    private static final int TARGET_SCALE = 4;

    private static final List<String> RELATIONS = List.of(" == ", " != ", " < ", " <= ", " > ", " >= ");

    private static final Schema SCHEMA = schema();

    private static Schema schema() {
        IntStorage i64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
        IntStorage i32 = IntStorage.of(4, true, ByteOrder.LITTLE_ENDIAN);
        IntStorage u32 = IntStorage.of(4, false, ByteOrder.BIG_ENDIAN);
        return new Schema(
                "wide",
                50,
                List.of(
                        Field.of("p", new FieldType.DecimalType(i64, 5), 0),
                        Field.of("q", new FieldType.DecimalType(i64, 10), 8),
                        Field.of("r", new FieldType.DecimalType(u32, 2), 16),
                        Field.of("s", new FieldType.DecimalType(i32, 3), 20),
                        Field.of("o", new FieldType.DecimalType(i64, 4), 24).withNullFlag(),
                        Field.of("w", new FieldType.IntegerType(i64), 33),
                        Field.of("target", new FieldType.DecimalType(i64, TARGET_SCALE), 41)),
                List.of());
    }

    /**
     * A rule and its meaning.
     *
     * @param scale of the value
     * @param value unscaled
     * @param constant the value if it is one: as in stock SpEL, constants are doubles, and are computed with each other
     *     before they become decimals
     */
    private record Term(
            String text,
            int scale,
            Function<Map<String, @Nullable Object>, BigInteger> value,
            @Nullable Double constant) {

        Term(String text, int scale, Function<Map<String, @Nullable Object>, BigInteger> value) {
            this(text, scale, value, null);
        }

        static Term constant(String text, double value) {
            BigDecimal decimal = BigDecimal.valueOf(value);
            return new Term(text, decimal.scale(), _ -> decimal.unscaledValue(), value);
        }

        BigInteger rescaled(Map<String, @Nullable Object> record, int to) {
            return fit(value.apply(record).multiply(BigInteger.TEN.pow(to - scale)));
        }
    }

    /** A step has no result, since it is past 128 bits or an operand is absent. */
    private static final class NoResult extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static BigInteger fit(BigInteger value) {
        if (value.bitLength() > 127) {
            throw new NoResult();
        }
        return value;
    }

    private static Term term(Random random, int depth) {
        if (depth == 0) {
            return leaf(random);
        }
        Term left = term(random, random.nextInt(depth));
        Term right = term(random, random.nextInt(depth));
        int scale = Math.max(left.scale, right.scale);
        int operator = random.nextInt(8);
        if (left.constant != null && (right.constant != null || operator == 7)) {
            return constants(operator, left, left.constant, right, right.constant);
        }
        return switch (operator) {
            case 0, 1, 2 ->
                left.scale + right.scale > 30
                        ? left
                        : new Term(
                                "(" + left.text + " * " + right.text + ")",
                                left.scale + right.scale,
                                record -> fit(left.value.apply(record).multiply(right.value.apply(record))));
            case 3, 4 ->
                new Term(
                        "(" + left.text + " + " + right.text + ")",
                        scale,
                        record -> fit(left.rescaled(record, scale).add(right.rescaled(record, scale))));
            case 5, 6 ->
                new Term(
                        "(" + left.text + " - " + right.text + ")",
                        scale,
                        record -> fit(left.rescaled(record, scale).subtract(right.rescaled(record, scale))));
            default ->
                new Term(
                        "(-" + left.text + ")",
                        left.scale,
                        record -> fit(left.value.apply(record).negate()));
        };
    }

    private static Term constants(int operator, Term left, double a, Term right, @Nullable Double other) {
        double b = other == null ? 0 : other;
        return switch (operator) {
            case 0, 1, 2 -> Term.constant("(" + left.text + " * " + right.text + ")", a * b);
            case 3, 4 -> Term.constant("(" + left.text + " + " + right.text + ")", a + b);
            case 5, 6 -> Term.constant("(" + left.text + " - " + right.text + ")", a - b);
            default -> Term.constant("(-" + left.text + ")", 0 - a);
        };
    }

    private static Term leaf(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> field("p", 5);
            case 1 -> field("q", 10);
            case 2 -> field("r", 2);
            case 3 -> field("s", 3);
            case 4 -> field("o", 4);
            case 5 ->
                new Term(
                        "(w * s)",
                        3,
                        record -> raw(record, "s")
                                .multiply(BigInteger.valueOf((Long) Objects.requireNonNull(record.get("w")))));
            case 6 -> Term.constant("1.25", 1.25);
            default -> new Term("(p + 3)", 5, record -> raw(record, "p").add(BigInteger.valueOf(300000)));
        };
    }

    private static Term field(String name, int scale) {
        return new Term(name, scale, record -> raw(record, name));
    }

    private static BigInteger raw(Map<String, @Nullable Object> record, String name) {
        if (!(record.get(name) instanceof BigDecimal value)) {
            throw new NoResult();
        }
        return value.unscaledValue();
    }

    /** Some records of small values, whose steps seldom need more than 64 bits, and then some of all. */
    private static Records records(Random random) {
        Records records = new Records(SCHEMA);
        int small = random.nextInt(RECORDS + 1);
        for (int i = 0; i < RECORDS; i++) {
            Map<String, @Nullable Object> record = new HashMap<>();
            for (Field field : SCHEMA.fields()) {
                FieldType.Numbered type = (FieldType.Numbered) field.type();
                long raw = i < small ? random.nextInt(1_000_000) : raw(random, type.storage());
                record.put(
                        field.name(),
                        field.optional() && random.nextInt(5) == 0
                                ? null
                                : type instanceof FieldType.DecimalType(var ignoredStorage, int scale)
                                        ? (Object) BigDecimal.valueOf(raw, scale)
                                        : (Object) raw);
            }
            records.add(record);
        }
        return records;
    }

    private static long raw(Random random, IntStorage storage) {
        return switch (random.nextInt(10)) {
            case 0 -> storage.min();
            case 1 -> storage.max();
            case 2, 3 -> random.nextInt(5);
            default -> {
                long bits = random.nextLong() >> random.nextInt(63);
                yield Math.max(storage.min(), Math.min(storage.max(), bits));
            }
        };
    }

    @Property(tries = 600, seed = "20261126")
    void shouldCompareAsStockSpelDoes(@ForAll long seed) {
        Random random = new Random(seed);
        Term left = term(random, 3);
        Term right = random.nextInt(3) == 0 ? leaf(random) : term(random, 2);
        String rule = left.text + RELATIONS.get(random.nextInt(6)) + right.text;
        Records records = records(random);
        for (BatchFilter filter : DifferentialTest.variants(
                new ExpressionCompiler(SCHEMA).filter(rule).loop())) {
            agrees(rule, filter, records, left, right);
        }
    }

    private static void agrees(String rule, BatchFilter filter, Records records, Term left, Term right) {
        StockSpel stock = new StockSpel(rule);
        Map<Integer, RejectReason> rejects = new HashMap<>();
        RecordBatch batch = records.batch();
        filter.apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        List<Integer> kept = Records.alive(batch);
        RecordBatch decoded = records.batch();
        for (int i = 0; i < RECORDS; i++) {
            Map<String, @Nullable Object> record = records.decode(decoded, i);
            boolean hasValues = hasValue(left, record) && hasValue(right, record);
            Boolean actual = rejects.containsKey(i) ? null : (Boolean) kept.contains(i);
            Boolean expected = hasValues ? stock.answer(record) : null;
            assertThat(actual)
                    .as("%s over %s: %s", rule, record, rejects.get(i))
                    .isEqualTo(expected);
        }
    }

    /** An operand that is only a field may be absent. */
    private static boolean hasValue(Term term, Map<String, @Nullable Object> record) {
        if (term.text.equals("o")) {
            return true;
        }
        try {
            var _ = term.value.apply(record);
            return true;
        } catch (NoResult e) {
            return false;
        }
    }

    /**
     * Units that differ by more than 10^18 cannot be compared by one factor, nor does the coarser value fit in the
     * finer.
     */
    @ParameterizedTest
    @ValueSource(strings = {" == ", " != ", " < ", " <= ", " > ", " >= "})
    void shouldCompareUnitsThatAreFarApart(String relation) {
        Records records = new Records(SCHEMA);
        for (long near = -1; near <= 1; near++) {
            for (String o : new String[] {"-140040.8224", "140040.8224", "0.0000", "9.0000", null}) {
                Map<String, @Nullable Object> record = new HashMap<>();
                boolean same = "9.0000".equals(o);
                record.put("p", new BigDecimal(same ? "1.00000" : "151506621925.62995"));
                record.put("q", BigDecimal.valueOf(same ? 10_000_000_000L + near : near, 10));
                record.put("r", new BigDecimal("42949672.95"));
                record.put("s", new BigDecimal(same ? "1.000" : "2147483.647"));
                record.put("o", o == null ? null : new BigDecimal(o));
                record.put("w", same ? 1 : o == null ? 0 : Long.MAX_VALUE);
                record.put("target", new BigDecimal("0.0000"));
                records.add(record);
            }
        }
        for (String right :
                List.of("(o + 1.25) * (-(w * s))", "w * s * s", "(w == 0 ? null : (o + 1.25) * (-(w * s)))")) {
            for (String left : List.of("(q * q * 1.25 * (q + p + 3))", "q * q * q", "(w > 0 ? q * q * q : null)")) {
                agrees(left + relation + right, records);
                agrees(right + relation + left, records);
            }
        }
    }

    /** A record has a result exactly if stock SpEL has one, as no step is past 128 bits. */
    private static void agrees(String rule, Records records) {
        StockSpel stock = new StockSpel(rule);
        Map<Integer, RejectReason> rejects = new HashMap<>();
        List<Integer> kept = records.kept(rule, rejects);
        RecordBatch decoded = records.batch();
        for (int i = 0; i < decoded.selected(); i++) {
            Map<String, @Nullable Object> record = records.decode(decoded, i);
            Boolean expected;
            try {
                expected = (Boolean) stock.value(record);
            } catch (RuntimeException e) {
                expected = null;
            }
            assertThat(rejects.containsKey(i) ? null : (Boolean) kept.contains(i))
                    .as("%s over %s: %s", rule, record, rejects.get(i))
                    .isEqualTo(expected);
        }
    }

    @Property(tries = 600, seed = "20261127")
    void shouldAssignAsStockSpelDoes(@ForAll long seed) {
        Random random = new Random(seed);
        Term term = term(random, 3);
        Records records = records(random);
        RecordBatch batch = records.batch();
        Map<Integer, RejectReason> rejects = new HashMap<>();
        Field target = Objects.requireNonNull(SCHEMA.field("target"));
        ExpressionCompiler compiler = new ExpressionCompiler(SCHEMA);
        List<Assignment> assignments = List.of(new Assignment(target, term.text));
        if (term.constant != null && term.scale > TARGET_SCALE) {
            assertThatExceptionOfType(ExpressionException.class)
                    .isThrownBy(() -> compiler.setter(assignments))
                    .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BAD_CONSTANT));
            return;
        }
        compiler.setter(assignments).loop().apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        StockSpel stock = new StockSpel(term.text);
        RecordBatch before = records.batch();
        for (int i = 0; i < RECORDS; i++) {
            Map<String, @Nullable Object> record = records.decode(before, i);
            Object actual =
                    rejects.containsKey(i) ? null : records.decode(batch, i).get("target");
            BigDecimal expected = null;
            if (hasValue(term, record) && record.getOrDefault(term.text, BigDecimal.ZERO) != null) {
                Object value = Objects.requireNonNull(stock.value(record));
                BigDecimal exact = value instanceof Double real ? BigDecimal.valueOf(real) : (BigDecimal) value;
                BigDecimal shown = exact.stripTrailingZeros();
                if (shown.scale() <= TARGET_SCALE
                        && shown.setScale(TARGET_SCALE).unscaledValue().bitLength() < Long.SIZE) {
                    expected = shown.setScale(TARGET_SCALE);
                }
            }
            assertThat(actual)
                    .as("%s over %s: %s", term.text, record, rejects.get(i))
                    .isEqualTo(expected);
        }
    }
}
