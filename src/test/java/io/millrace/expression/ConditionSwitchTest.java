package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Routes whose conditions compare one value with constants, against the same decisions in Java. */
class ConditionSwitchTest {

    private static final int RECORDS = 400;
    private static final List<String> KINDS = List.of("A", "B", "C", "D", "E", "F", "G", "H", "I", "J");

    private static final Schema SCHEMA = SchemaReader.read("switch.yml", """
            schema: switch
            fields:
              - { name: kind, type: enum, as: u8, values: [A, B, C, D, E, F, G, H, I, J] }
              - { name: code, type: u16 }
              - { name: far, type: i64, optional: true }
              - { name: flagged, type: i32, optional: true, absent: flag }
              - { name: price, type: decimal, as: i64, scale: 2 }
              - { name: tag, type: string, length: 5, charset: utf8, optional: true }
              - { name: name, type: string, length: 8, optional: true, absent: flag }
              - { name: divisor, type: i32 }
            """.getBytes(StandardCharsets.UTF_8));

    /** @param kind its code, which may be unknown */
    private record Row(
            int kind,
            int code,
            @Nullable Long far,
            @Nullable Integer flagged,
            long price,
            @Nullable String tag,
            @Nullable String name,
            int divisor) {

        static Row random(Random random) {
            return new Row(
                    random.nextInt(KINDS.size() + 2),
                    random.nextInt(40),
                    random.nextInt(4) == 0 ? null : farNumber(random.nextInt(40)),
                    random.nextInt(4) == 0 ? null : random.nextInt(40) - 20,
                    random.nextInt(40),
                    random.nextInt(4) == 0 ? null : tagText(random.nextInt(40)),
                    random.nextInt(4) == 0 ? null : nameText(random.nextInt(40)),
                    random.nextInt(12));
        }

        void write(ByteBuffer into) {
            into.put((byte) kind).putShort((short) code).putLong(far == null ? Long.MIN_VALUE : far);
            into.putInt(flagged == null ? divisor : flagged).put((byte) (flagged == null ? 1 : 0));
            into.putLong(price).put(padded(tag, 5));
            // A field whose null flag is set may have any bytes.
            into.put(padded(name == null ? nameText(divisor) : name, 8)).put((byte) (name == null ? 1 : 0));
            into.putInt(divisor);
        }

        private static byte[] padded(@Nullable String text, int length) {
            byte[] bytes = new byte[length];
            Arrays.fill(bytes, (byte) ' ');
            byte[] encoded = (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
            System.arraycopy(encoded, 0, bytes, 0, encoded.length);
            return bytes;
        }
    }

    /** Numbers that are far apart, among them the largest and one next to the one that means absent. */
    private static long farNumber(int i) {
        return switch (i) {
            case 0 -> Long.MAX_VALUE;
            case 1 -> Long.MIN_VALUE + 1;
            default -> i * 1_000_000_007L * (i % 2 == 0 ? 1 : -1);
        };
    }

    private static String tagText(int i) {
        return Integer.toString(i, 36).toUpperCase(Locale.ROOT) + "é".repeat(i % 2);
    }

    private static String nameText(int i) {
        return "n".repeat(i % 6) + i;
    }

    /** Something that a condition compares with constants. */
    private enum Value {
        KIND,
        CODE,
        FAR,
        FLAGGED,
        PRICE,
        TAG,
        NAME,
        COMPUTED;

        private String text() {
            return this == COMPUTED ? "code % 32" : name().toLowerCase(Locale.ROOT);
        }

        private String constant(int i) {
            return switch (this) {
                case KIND -> "'" + KINDS.get(i % KINDS.size()) + "'";
                case CODE, COMPUTED -> String.valueOf(i);
                case FAR -> String.valueOf(farNumber(i));
                case FLAGGED -> String.valueOf(i - 20);
                case PRICE -> "0." + (i < 10 ? "0" : "") + i;
                case TAG -> "'" + tagText(i) + "'";
                case NAME -> "'" + nameText(i) + "'";
            };
        }

        private boolean is(Row row, int i) {
            return switch (this) {
                case KIND -> {
                    require(row.kind < KINDS.size());
                    yield row.kind == i % KINDS.size();
                }
                case CODE -> row.code == i;
                case COMPUTED -> row.code % 32 == i;
                case FAR -> row.far != null && row.far == farNumber(i);
                case FLAGGED -> row.flagged != null && row.flagged == i - 20;
                case PRICE -> row.price == i;
                case TAG -> tagText(i).equals(row.tag);
                case NAME -> nameText(i).equals(row.name);
            };
        }
    }

    private static void require(boolean hasResult) {
        if (!hasResult) {
            throw new ArithmeticException();
        }
    }

    private record Condition(String text, Predicate<Row> test) {

        static Condition random(Value value, Random random) {
            List<Integer> constants = random.nextInt(4) > 0
                    ? List.of(random.nextInt(40))
                    : random.ints(1 + random.nextInt(7), 0, 40)
                            .distinct()
                            .boxed()
                            .toList();
            String list = constants.stream().map(value::constant).distinct().collect(Collectors.joining(", "));
            Condition compared = new Condition(
                    constants.size() == 1
                            ? value.text() + " == " + list
                            : "{" + list + "}.contains(" + value.text() + ")",
                    row -> anyIs(value, row, constants));
            int than = random.nextInt(12);
            return switch (random.nextInt(6)) {
                case 0 ->
                    new Condition(
                            compared.text + " and divisor > " + than,
                            row -> compared.test.test(row) && row.divisor > than);
                case 1 ->
                    new Condition(
                            compared.text + " and 10 / (divisor - " + than + ") > 0 and code > 9",
                            row -> compared.test.test(row) && quotient(row, than) > 0 && row.code > 9);
                default -> compared;
            };
        }

        private static boolean anyIs(Value value, Row row, List<Integer> constants) {
            return constants.stream().anyMatch(constant -> value.is(row, constant));
        }

        private static int quotient(Row row, int than) {
            require(row.divisor != than);
            return 10 / (row.divisor - than);
        }
    }

    /** @param rejected the condition that has no result, by ordinal */
    private record Outcome(List<Integer> ordinals, List<Integer> branches, Map<Integer, String> rejected) {}

    private static Outcome expected(List<Row> rows, List<Condition> conditions) {
        Outcome outcome = new Outcome(new ArrayList<>(), new ArrayList<>(), new TreeMap<>());
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            int condition = 0;
            try {
                while (condition < conditions.size()
                        && !conditions.get(condition).test.test(row)) {
                    condition++;
                }
                outcome.ordinals.add(i);
                outcome.branches.add(condition == conditions.size() ? BatchRouter.NONE : condition);
            } catch (ArithmeticException e) {
                outcome.rejected.put(i, conditions.get(condition).text);
            }
        }
        return outcome;
    }

    private static Outcome actual(List<Row> rows, List<Condition> conditions) {
        ByteBuffer bytes = ByteBuffer.allocate(rows.size() * SCHEMA.recordLength());
        rows.forEach(row -> row.write(bytes));
        RecordBatch batch = new RecordBatch(SCHEMA);
        batch.fill(bytes.array(), 0, rows.size(), 0, SCHEMA.recordLength());
        int[] branches = new int[rows.size()];
        Outcome outcome = new Outcome(new ArrayList<>(), new ArrayList<>(), new TreeMap<>());
        compiled(conditions)
                .loop()
                .route(
                        batch,
                        branches,
                        (_, ordinal, reason) -> outcome.rejected.put(ordinal, expression(reason.detail())));
        for (int i = 0; i < batch.selected(); i++) {
            outcome.ordinals.add(batch.selection()[i]);
            outcome.branches.add(branches[i]);
        }
        return outcome;
    }

    private static String expression(String detail) {
        String beginning = detail.startsWith("No result") ? "No result of '" : "Invalid value in '";
        return detail.substring(beginning.length(), detail.indexOf("' with "));
    }

    private static Compiled<BatchRouter> compiled(List<Condition> conditions) {
        return new ExpressionCompiler(SCHEMA)
                .router(conditions.stream().map(Condition::text).toList());
    }

    private static List<Row> rows(Random random) {
        return IntStream.range(0, RECORDS).mapToObj(_ -> Row.random(random)).toList();
    }

    /** Runs of conditions of one value, of all lengths, with others between them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void shouldRouteAsIfConditionsWereEvaluatedInOrder(int seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            List<Row> rows = rows(random);
            List<Condition> conditions = new ArrayList<>();
            for (int run = 0; run <= random.nextInt(4); run++) {
                Value value = Value.values()[random.nextInt(Value.values().length)];
                int length = 1 + random.nextInt(random.nextBoolean() ? 10 : 80);
                for (int i = 0; i < length; i++) {
                    conditions.add(Condition.random(value, random));
                }
            }
            assertThat(actual(rows, conditions))
                    .as(conditions.stream().map(Condition::text).collect(Collectors.joining("; ")))
                    .isEqualTo(expected(rows, conditions));
        }
    }

    @Test
    void shouldSwitchOnEachKindOfValue() {
        Random random = new Random(1);
        for (Value value : Value.values()) {
            List<Row> rows = rows(random);
            List<Condition> conditions = IntStream.range(0, 8)
                    .mapToObj(i -> new Condition(value.text() + " == " + value.constant(i), row -> value.is(row, i)))
                    .toList();
            Outcome outcome = actual(rows, conditions);
            assertThat(outcome).isEqualTo(expected(rows, conditions));
            assertThat(outcome.branches).as(value.text()).contains(0, 7, BatchRouter.NONE);
        }
    }

    /** The size of the code does not follow the number of branches. */
    @Test
    void shouldCompileManyBranchesToOneSmallLoop() {
        int few = compiled(codes(8)).codeBytes();

        assertThat(compiled(codes(5000)).codeBytes()).isBetween(few - 8, few + 8);
        List<Row> rows = rows(new Random(2));
        assertThat(actual(rows, codes(5000))).isEqualTo(expected(rows, codes(5000)));
    }

    private static List<Condition> codes(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Condition("code == " + i, row -> row.code == i))
                .toList();
    }

    @Test
    void shouldSplitSwitchesThatNeedTooMuchCode() {
        List<Condition> conditions = IntStream.range(0, 1000)
                .mapToObj(i -> new Condition(
                        "code == " + (i % 40) + " and divisor * 3 - far / 7 == " + i,
                        row -> row.code == i % 40 && row.divisor * 3L - require(row.far) / 7 == i))
                .toList();
        List<Row> rows = rows(new Random(3));

        assertThat(actual(rows, conditions)).isEqualTo(expected(rows, conditions));
    }

    /** Much code for few operations: too long even for a class file. */
    @Test
    void shouldSplitSwitchesThatNeedMoreCodeThanAClassFileCanHave() {
        List<Condition> conditions = IntStream.range(0, 2500)
                .mapToObj(i -> new Condition(
                        "code == " + i % 40 + " and name == " + Value.NAME.constant(i / 40),
                        row -> row.code == i % 40 && Value.NAME.is(row, i / 40)))
                .toList();
        List<Row> rows = rows(new Random(4));

        assertThat(actual(rows, conditions)).isEqualTo(expected(rows, conditions));
    }

    /** A condition that needs more does not keep those before it from being looked up. */
    @Test
    void shouldLookUpTheConditionsBeforeOneThatNeedsMore() {
        Condition needsMore = new Condition("code == 30 and divisor > 3", row -> row.code == 30 && row.divisor > 3);
        List<Condition> few = new ArrayList<>(codes(8));
        few.add(needsMore);
        List<Condition> more = new ArrayList<>(codes(30));
        more.add(needsMore);
        List<Row> rows = rows(new Random(5));

        int codeBytes = compiled(few).codeBytes();
        assertThat(compiled(more).codeBytes()).isBetween(codeBytes - 8, codeBytes + 8);
        assertThat(actual(rows, more)).isEqualTo(expected(rows, more));
    }

    private static long require(@Nullable Long far) {
        if (far == null) {
            throw new ArithmeticException();
        }
        return far;
    }
}
