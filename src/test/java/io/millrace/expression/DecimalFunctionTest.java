package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Methods of decimals and the functions {@code #abs} and {@code #round}, against those of BigDecimal in stock SpEL. */
class DecimalFunctionTest {

    private static final int RECORDS = 30;
    private static final IntStorage I64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);

    private static final Schema SCHEMA = new Schema(
            "decimals",
            37,
            List.of(
                    Field.of("target", new FieldType.DecimalType(I64, 3), 0),
                    Field.of("p", new FieldType.DecimalType(I64, 5), 8),
                    Field.of("q", new FieldType.DecimalType(I64, 10), 16),
                    Field.of("s", new FieldType.DecimalType(IntStorage.of(4, true, ByteOrder.BIG_ENDIAN), 4), 24),
                    Field.of("o", new FieldType.DecimalType(I64, 2), 28).withNullFlag()),
            List.of());

    private static Records records(Random random) {
        Records records = new Records(SCHEMA);
        for (int i = 0; i < RECORDS; i++) {
            Map<String, @Nullable Object> record = new HashMap<>();
            for (Field field : SCHEMA.fields()) {
                FieldType.DecimalType type = (FieldType.DecimalType) field.type();
                long raw = random.nextLong()
                        >> (64
                                - type.storage().bits()
                                + random.nextInt(type.storage().bits()));
                boolean tie = random.nextInt(4) == 0;
                record.put(
                        field.name(),
                        field.optional() && random.nextInt(3) == 0
                                ? null
                                : BigDecimal.valueOf(tie ? raw / 1000 * 1000 + 500 : raw, type.scale()));
            }
            records.add(record);
        }
        return records;
    }

    private static String value(Random random) {
        return List.of("p", "q", "s", "o", "(p * q)", "(p * s)", "(p * p * q)", "(s * s)", "(p + q)", "(-s)")
                .get(random.nextInt(10));
    }

    /** Of each rule there is the form that stock SpEL needs. */
    private static RandomRules.Rule rule(Random random, String value) {
        int scale = random.nextInt(8);
        String mode = List.of(RoundingMode.values()).get(random.nextInt(8)).name();
        return switch (random.nextInt(6)) {
            case 0 -> RandomRules.Rule.same(value + ".abs()");
            case 1 -> RandomRules.Rule.same("#abs(" + value + ")");
            case 2 -> RandomRules.Rule.same("#round(" + value + ", " + scale + ")");
            case 3 -> RandomRules.Rule.same(value + ".negate()");
            case 4 -> RandomRules.Rule.same(value + ".setScale(" + scale + ")");
            default ->
                new RandomRules.Rule(
                        value + ".setScale(" + scale + ", '" + mode + "')",
                        value + ".setScale(" + scale + ", T(java.math.RoundingMode)." + mode + ")");
        };
    }

    /** Returns whether a value is past 128 bits, so that the record is rejected. Of these values, only products are. */
    private static boolean isTooLarge(@Nullable BigDecimal value) {
        return value != null && value.unscaledValue().bitLength() >= 128;
    }

    @Property(tries = 500, seed = "20261128")
    void shouldCompareAsStockSpelDoes(@ForAll long seed) {
        Random random = new Random(seed);
        String value = value(random);
        RandomRules.Rule rule = rule(random, value);
        String other = value(random);
        StockSpel of = new StockSpel(value);
        String relation = List.of(" > ", " <= ", " == ", " != ").get(random.nextInt(4));
        StockSpel left = new StockSpel(rule.stock());
        StockSpel right = new StockSpel(other);
        Records records = records(random);
        Map<Integer, RejectReason> rejects = new HashMap<>();
        List<Integer> kept = records.kept(rule.ours() + relation + other, rejects);
        RecordBatch batch = records.batch();
        for (int i = 0; i < RECORDS; i++) {
            Map<String, @Nullable Object> record = records.decode(batch, i);
            BigDecimal first = decimal(left, record);
            BigDecimal second = decimal(right, record);
            boolean tooLarge = isTooLarge(decimal(of, record)) || isTooLarge(second);
            Boolean expected = null;
            if (!tooLarge && first != null && (second != null || other.equals("o"))) {
                expected = compare(relation.strip(), second == null ? 1 : first.compareTo(second));
            }
            Boolean actual = rejects.containsKey(i) ? null : (Boolean) kept.contains(i);
            assertThat(actual)
                    .as("%s %s %s over %s: %s", rule, relation, other, record, rejects.get(i))
                    .isEqualTo(expected);
        }
    }

    private static boolean compare(String relation, int order) {
        return switch (relation) {
            case ">" -> order > 0;
            case "<=" -> order <= 0;
            case "==" -> order == 0;
            default -> order != 0;
        };
    }

    private static @Nullable BigDecimal decimal(StockSpel stock, Map<String, @Nullable Object> record) {
        try {
            return (BigDecimal) stock.value(record);
        } catch (RuntimeException e) {
            return null;
        }
    }

    @Property(tries = 500, seed = "20261129")
    void shouldAssignAsStockSpelDoes(@ForAll long seed) {
        Random random = new Random(seed);
        String of = value(random);
        RandomRules.Rule rule = rule(random, of);
        Field target = Objects.requireNonNull(SCHEMA.field("target"));
        Records records = records(random);
        RecordBatch batch = records.batch();
        RecordBatch before = records.batch();
        Map<Integer, RejectReason> rejects = new HashMap<>();
        new ExpressionCompiler(SCHEMA)
                .setter(List.of(new Assignment(target, rule.ours())))
                .loop()
                .apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        StockSpel stock = new StockSpel(rule.stock());
        StockSpel inner = new StockSpel(of);
        for (int i = 0; i < RECORDS; i++) {
            Map<String, @Nullable Object> record = records.decode(before, i);
            BigDecimal value = isTooLarge(decimal(inner, record)) ? null : decimal(stock, record);
            BigDecimal shown = value == null ? null : value.stripTrailingZeros();
            boolean fits = shown != null
                    && shown.scale() <= 3
                    && shown.setScale(3).unscaledValue().bitLength() < Long.SIZE;
            Object actual =
                    rejects.containsKey(i) ? null : records.decode(batch, i).get("target");
            assertThat(actual)
                    .as("%s over %s: %s", rule, record, rejects.get(i))
                    .isEqualTo(fits ? Objects.requireNonNull(shown).setScale(3) : null);
        }
    }

    @Property(tries = 300, seed = "20261130")
    void shouldReturnTheSign(@ForAll long seed) {
        Random random = new Random(seed);
        String of = value(random);
        String rule = of + ".signum() == " + (random.nextInt(3) - 1);
        StockSpel stock = new StockSpel(rule);
        StockSpel inner = new StockSpel(of);
        Records records = records(random);
        Map<Integer, RejectReason> rejects = new HashMap<>();
        List<Integer> kept = records.kept(rule, rejects);
        RecordBatch batch = records.batch();
        for (int i = 0; i < RECORDS; i++) {
            Map<String, @Nullable Object> record = records.decode(batch, i);
            Boolean expected = isTooLarge(decimal(inner, record)) ? null : stock.answer(record);
            assertThat(rejects.containsKey(i) ? null : (Boolean) kept.contains(i))
                    .as("%s over %s: %s", rule, record, rejects.get(i))
                    .isEqualTo(expected);
        }
    }

    @Test
    void shouldGiveWholeNumbersAndDoublesWithoutSign() {
        Schema schema = new Schema(
                "numbers",
                16,
                List.of(
                        Field.of("w", new FieldType.IntegerType(I64), 0),
                        Field.of("d", new FieldType.FloatType(8, ByteOrder.BIG_ENDIAN), 8)),
                List.of());
        Records records = new Records(schema)
                .add(Map.of("w", -5L, "d", -2.5))
                .add(Map.of("w", Long.MIN_VALUE, "d", Double.NEGATIVE_INFINITY));
        Map<Integer, RejectReason> rejects = new HashMap<>();
        assertThat(records.kept("#abs(w) == 5", rejects)).containsExactly(0);
        assertThat(rejects).containsOnlyKeys(1);
        assertThat(records.kept("#abs(d) > 2 and #round(w, 2) < 0")).containsExactly(0, 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "p.setScale(s) > 1               | .setScale(...) can't be applied to s, a decimal of scale 4",
                "p.setScale() > 1                | .setScale(...) needs an argument",
                "p.setScale(19) > 1              | invalid scale '19'",
                "p.setScale(2, 'HALFUP') > 1     | unknown rounding mode 'HALFUP'",
                "#round(p, o) > 1                | #round(...) can't be applied to",
                "#round(1, -2) > 1               | invalid scale '-2'",
                "#round(p, 19) > 1               | invalid scale '19'",
                "#round('a', 1) > 1              | #round(...) can't be applied to the text 'a'",
                "#abs('a') > 1                   | #abs(...) can't be applied to the text 'a'",
                "p.sqrt(2) > 1                   | a decimal of scale 5 has no .sqrt(...)",
            })
    void shouldRefuse(String rule, String problem) {
        assertThatThrownBy(() -> new ExpressionCompiler(SCHEMA).filter(rule))
                .isInstanceOf(ExpressionException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void shouldRefuseMoreThan18DecimalsInAField() {
        assertThatThrownBy(() -> new ExpressionCompiler(SCHEMA).resultType("q * q"))
                .isInstanceOf(ExpressionException.class)
                .hasMessageContaining("20 decimals")
                .hasMessageContaining("#round(");
        assertThat(new ExpressionCompiler(SCHEMA).resultType("#round(q * q, 4)"))
                .isEqualTo(new FieldType.DecimalType(I64, 4));
    }
}
