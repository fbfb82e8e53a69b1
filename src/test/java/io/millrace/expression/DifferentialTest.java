package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.RandomRules.RandomRecords;
import io.millrace.expression.RandomRules.Rule;
import io.millrace.expression.Tally.Event;
import io.millrace.expression.check.Checker;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import org.jspecify.annotations.Nullable;

/**
 * What we compile, what Spring compiles over the same bytes, and SpEL's interpreter over decoded records agree on
 * random rules, schemas and records, where they are not documented to differ.
 *
 * <p>{@code ./mvnw test -Pdifferential} does so for minutes; {@code -Dmillrace.rounds=N} says how often each property
 * is repeated, {@code -Dmillrace.seed=N} looks at other rules.
 */
class DifferentialTest {

    private static final int RECORDS = 30;

    /** Fixed, so that a build depends on its sources alone. */
    private static final String SEED = "20261121";

    private static final long SHIFT = Long.getLong("millrace.seed", 0);
    private static final int ROUNDS = Integer.getInteger("millrace.rounds", 1);

    /** Far from each other, as the seeds of rounds should be. */
    private static final long ROUND_STEP = 0x9E3779B97F4A7C15L;

    private static final Tally TRADES = new Tally("trades");
    private static final Tally SCHEMAS = new Tally("random schemas");
    private static final Tally EXTREMES = new Tally("extreme and absent values");
    private static final Tally CALLS = new Tally("calls");
    private static final Tally KEYS = new Tally("keys");
    private static final Tally DECIMALS = new Tally("decimals");
    private static final Tally TEXTS = new Tally("texts");
    private static final Tally SET_TEXTS = new Tally("set texts");
    private static final SeenNodes NODES = new SeenNodes();

    @AfterContainer
    static void shouldHaveComparedThousandsOfExpressions() {
        requires(TRADES, 550, 150, 10_000, 10_000, 4000);
        requires(SCHEMAS, 1400, 400, 25_000, 25_000, 10_000);
        requires(EXTREMES, 1200, 400, 15_000, 15_000, 8000);
        requires(CALLS, 900, 250, 20_000, 20_000, 8000);
        requires(TEXTS, 1200, 380, 9000, 18_000, 11_000);
        // Keys and values that are set are no answers of yes or no.
        requires(KEYS, 290, 290, 8000, 0, 8000);
        requires(SET_TEXTS, 850, 500, 18_000, 0, 15_000);
        // Spring compiles no arithmetic of BigDecimal.
        requires(DECIMALS, 290, 0, 7000, 0, 0);
    }

    private static void requires(
            Tally tally, int expressions, int springCompiled, int matched, int unmatched, int springAnswers) {
        tally.requires(Event.EXPRESSION, expressions)
                .requires(Event.SPRING_COMPILED, springCompiled)
                .requires(Event.MATCHED, matched)
                .requires(Event.UNMATCHED, unmatched)
                .requires(Event.SPRING_ANSWER, springAnswers)
                .requires(Event.REJECTED, 100)
                .limits(Event.BEYOND_US, 0.06, Event.MATCHED)
                .limits(Event.BEYOND_SPRING, 0.02, Event.SPRING_ANSWER)
                .limits(Event.SPRING_REFUSED, 0.05, Event.EXPRESSION);
    }

    @AfterContainer
    static void shouldHaveMetEachKindOfNode() {
        Set<String> kinds = SeenNodes.all();
        // Whether texts are equal is asked by a node of its own.
        kinds.removeAll(Set.of("TextOrder EQ", "TextOrder NE"));
        // These records have no groups.
        kinds.removeIf(kind -> kind.startsWith("Fold"));
        assertThat(NODES.kinds()).containsAll(kinds);
    }

    private static void rounds(long seed, Consumer<Random> check) {
        for (int round = 0; round < ROUNDS; round++) {
            check.accept(new Random(seed ^ SHIFT ^ round * ROUND_STEP));
        }
    }

    @Property(tries = 600, seed = SEED)
    void shouldFilterTradesAsStockSpelDoes(@ForAll long seed) {
        rounds(seed, random -> filterAgrees(TRADES, Trades.SCHEMA, random));
    }

    @Property(tries = 1500, seed = SEED)
    void shouldFilterRandomSchemasAsStockSpelDoes(@ForAll long seed) {
        rounds(seed, random -> filterAgrees(SCHEMAS, RandomSchemas.next(random), random));
    }

    @Property(tries = 1500, seed = SEED)
    void shouldFilterExtremeAndAbsentValuesAsStockSpelDoes(@ForAll long seed) {
        rounds(seed, random -> {
            Schema schema = RandomSchemas.optional(random);
            ExtremeRecords values = new ExtremeRecords(random);
            Rule rule = new RandomRules(random, schema, values).condition(2);
            Records records = new Records(schema);
            for (int i = 0; i < RECORDS; i++) {
                records.add(values.row(schema));
            }
            filterAgrees(EXTREMES, schema, rule, records);
        });
    }

    @Property(tries = 1200, seed = SEED)
    void shouldCallAsStockSpelDoes(@ForAll long seed) {
        rounds(seed, random -> {
            Schema schema = RandomSchemas.next(random);
            Rule rule = new RandomCalls(random, List.copyOf(schema.fields())).condition();
            if (rule != null) {
                filterAgrees(CALLS, schema, rule, records(schema, random));
            }
        });
    }

    @Property(tries = 300, seed = SEED)
    void shouldComputeKeysAsStockSpelDoes(@ForAll long seed) {
        rounds(seed, DifferentialTest::keysAgree);
    }

    private static void keysAgree(Random random) {
        String text = "(a * 3 - b) / (c + " + random.nextInt(4) + ") % 1000 + (a > b ? 1L : b)";
        Schema schema = new Schema(
                "numbers",
                12,
                List.of(
                        Field.of("a", new FieldType.IntegerType(RandomSchemas.storage(random, 4)), 0),
                        Field.of("b", new FieldType.IntegerType(RandomSchemas.storage(random, 4)), 4),
                        Field.of("c", new FieldType.IntegerType(RandomSchemas.storage(random, 4)), 8)),
                List.of());
        Records records = records(schema, random);
        RecordBatch batch = records.batch();
        long[] keys = new long[RECORDS];
        Map<Integer, RejectReason> rejects = new HashMap<>();
        see(schema, text);
        new ExpressionCompiler(schema)
                .keys(text)
                .loop()
                .fill(batch, keys, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        ThreeWays ways = new ThreeWays(KEYS, schema, Rule.same(text), records);
        List<Integer> alive = Records.alive(batch);
        for (int i = 0; i < RECORDS; i++) {
            int at = alive.indexOf(i);
            ways.compare(i, at < 0 ? null : keys[at], rejects.get(i), asLong(ways.expected(i)));
        }
    }

    private static @Nullable Object asLong(ThreeWays.Answer answer) {
        return answer.value() instanceof Number number ? number.longValue() : null;
    }

    @Property(tries = 300, seed = SEED)
    void shouldSetDecimalsAsStockSpelDoes(@ForAll long seed) {
        rounds(seed, DifferentialTest::decimalsAgree);
    }

    private static void decimalsAgree(Random random) {
        IntStorage i64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
        Field target = Field.of("target", new FieldType.DecimalType(i64, 3), 0);
        Schema schema = new Schema(
                "decimals",
                24,
                List.of(
                        target,
                        Field.of("p", new FieldType.DecimalType(RandomSchemas.storage(random, 4), 2), 8),
                        Field.of("q", new FieldType.DecimalType(RandomSchemas.storage(random, 4), 3), 16)),
                List.of());
        String text = List.of("p * 3 + q", "p * 1.5 - q", "q / p", "p * q", "p > q ? p : q", "-p % q")
                .get(random.nextInt(6));
        Rule rule = random.nextInt(3) == 0 ? rounded(random, text) : Rule.same(text);
        Records records = records(schema, random);
        setterAgrees(DECIMALS, schema, target, rule, records, DifferentialTest::fitted);
    }

    private static Rule rounded(Random random, String text) {
        RoundingMode mode = List.of(RoundingMode.values()).get(random.nextInt(8));
        String rounded = "(" + text + ").setScale(" + random.nextInt(4);
        return new Rule(rounded + ", '" + mode + "')", rounded + ", T(java.math.RoundingMode)." + mode + ")");
    }

    /** A decimal as the target holds it, or null where it can't: past 64 bits, or too many digits. */
    private static @Nullable Object fitted(@Nullable Object value) {
        BigDecimal decimal = (BigDecimal) Objects.requireNonNull(value);
        try {
            BigDecimal fitted = decimal.setScale(3, RoundingMode.UNNECESSARY);
            return fitted.unscaledValue().bitLength() < Long.SIZE ? fitted : null;
        } catch (ArithmeticException e) {
            return null;
        }
    }

    @Property(tries = 1500, seed = SEED)
    void shouldFilterTextsAsStockSpelDoes(@ForAll long seed) {
        rounds(seed, random -> {
            RandomTexts texts = new RandomTexts(random);
            filterAgrees(TEXTS, texts.schema(), Rule.same(texts.condition()), records(texts));
        });
    }

    @Property(tries = 1000, seed = SEED)
    void shouldSetTextsAsStockSpelDoes(@ForAll long seed) {
        rounds(seed, DifferentialTest::textsAgree);
    }

    private static void textsAgree(Random random) {
        RandomTexts texts = new RandomTexts(random);
        Field target = Field.of(
                "target",
                new FieldType.StringType(random.nextInt(8) == 0 ? 3 : 200, StandardCharsets.UTF_8, (byte) 0),
                texts.schema().baseLength());
        Schema schema = texts.schema().extend(target);
        Records records = new Records(schema);
        String text = texts.text(3);
        for (int i = 0; i < RECORDS; i++) {
            records.add(texts.row());
        }
        setterAgrees(
                SET_TEXTS,
                schema,
                target,
                Rule.same(text),
                records,
                value -> value instanceof String string
                                && string.getBytes(StandardCharsets.UTF_8).length
                                        <= target.type().bytes()
                        ? value
                        : null);
    }

    @Property(tries = 300, seed = SEED)
    void shouldOrderTextsAsJavaDoes(@ForAll long seed) {
        rounds(seed, random -> orderAgrees(new RandomTexts(random), "t" + (2 + Math.floorMod(seed, 5))));
    }

    private static void orderAgrees(RandomTexts texts, String name) {
        Field field = Objects.requireNonNull(texts.schema().field(name));
        String rule = field.name() + (field.type().bytes() > 8 ? ".substring(0, 2)" : "");
        Records records = records(texts);
        RecordBatch batch = records.batch();
        long[] keys = new long[RECORDS];
        new ExpressionCompiler(texts.schema()).orderKeys(rule).loop().fill(batch, keys, (_, _, _) -> {});
        StockSpel stock = new StockSpel(rule);
        List<Integer> alive = Records.alive(batch);
        for (int i = 1; i < alive.size(); i++) {
            String first = Objects.requireNonNullElse(stock.text(records.decode(batch, alive.get(i - 1))), "");
            String second = Objects.requireNonNullElse(stock.text(records.decode(batch, alive.get(i))), "");
            assertThat(Integer.signum(Long.compare(keys[i - 1], keys[i])))
                    .as("%s: %s, %s", rule, first, second)
                    .isEqualTo(Integer.signum(first.compareTo(second)));
        }
    }

    /** What is compiled, unless a constant is none: random ones often can't be what they are compared with. */
    private static <T> Optional<T> compile(Supplier<T> compilation) {
        try {
            return Optional.of(compilation.get());
        } catch (ExpressionException e) {
            assertThat(e.code()).as(e.getMessage()).isIn(ErrorCode.BAD_CONSTANT, ErrorCode.UNKNOWN_NAME);
            return Optional.empty();
        }
    }

    private static void see(Schema schema, String text) {
        NODES.add(new Checker(schema, SampleFunctions.REGISTRY).check(text));
    }

    private static Records records(RandomTexts texts) {
        Records records = new Records(texts.schema());
        for (int i = 0; i < RECORDS; i++) {
            records.add(texts.row());
        }
        return records;
    }

    private static Records records(Schema schema, Random random) {
        Records records = new Records(schema);
        for (int i = 0; i < RECORDS; i++) {
            records.add(new RandomRecords(random).row(schema));
        }
        return records;
    }

    /** @param fitted what the target holds of a value, or null where it can't hold it */
    private static void setterAgrees(
            Tally tally, Schema schema, Field target, Rule rule, Records records, Fitting fitted) {
        ExpressionCompiler compiler = new ExpressionCompiler(schema);
        compile(() -> compiler.setter(List.of(new Assignment(target, rule.ours())))
                        .loop())
                .ifPresent(setter -> {
                    see(schema, rule.ours());
                    ThreeWays ways = new ThreeWays(tally, schema, rule, records);
                    RecordBatch batch = records.batch();
                    Map<Integer, RejectReason> rejects = new HashMap<>();
                    setter.apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
                    for (int i = 0; i < RECORDS; i++) {
                        ThreeWays.Answer right = ways.expected(i);
                        ways.compare(
                                i,
                                records.decode(batch, i).get(target.name()),
                                rejects.get(i),
                                right.exists() ? fitted.of(right.value()) : null);
                    }
                });
    }

    /** What a field holds of a value. */
    private interface Fitting {
        @Nullable
        Object of(@Nullable Object value);
    }

    private static void filterAgrees(Tally tally, Schema schema, Random random) {
        filterAgrees(tally, schema, new RandomRules(random, schema).condition(3), records(schema, random));
    }

    private static void filterAgrees(Tally tally, Schema schema, Rule rule, Records records) {
        ExpressionCompiler compiler = new ExpressionCompiler(schema, SampleFunctions.REGISTRY);
        compile(() -> compiler.filter(rule.ours()).loop()).ifPresent(compiled -> {
            see(schema, rule.ours());
            ThreeWays ways = new ThreeWays(tally, schema, rule, records);
            variants(compiled).forEach(filter -> filterAgrees(ways, filter, records.batch()));
        });
    }

    /** Small batches meet only one of the loops that a filter may have: ask each by itself. */
    static List<BatchFilter> variants(BatchFilter filter) {
        return filter instanceof SampledFilter(var branching, var branchFree)
                ? List.of(filter, new SampledFilter(branching, branching), new SampledFilter(branchFree, branchFree))
                : List.of(filter);
    }

    private static void filterAgrees(ThreeWays ways, BatchFilter filter, RecordBatch batch) {
        Map<Integer, RejectReason> rejects = new HashMap<>();
        filter.apply(batch, (_, ordinal, reason) -> rejects.put(ordinal, reason));
        Set<Integer> kept = new HashSet<>(Records.alive(batch));
        for (int i = 0; i < RECORDS; i++) {
            ways.compare(i, kept.contains(i), rejects.get(i), ways.expected(i).value());
        }
    }
}
