package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More expressions than one loop has, against the same decisions in Java. */
class PartsTest {

    private static final int RECORDS = 500;
    private static final FieldType WHOLE = new FieldType.IntegerType(IntStorage.of(8, true, ByteOrder.LITTLE_ENDIAN));
    private static final Schema SCHEMA =
            new Schema("numbers", 16, List.of(Field.of("a", WHOLE, 0), Field.of("b", WHOLE, 8)), List.of());

    private final byte[] records = new byte[RECORDS * 16];
    private final List<Integer> rejected = new ArrayList<>();

    private RecordBatch batch(Random random, int max) {
        for (int i = 0; i < RECORDS; i++) {
            RawBytes.putLongLe(records, i * 16, random.nextInt(max));
            RawBytes.putLongLe(records, i * 16 + 8, random.nextInt(max));
        }
        RecordBatch batch = new RecordBatch(SCHEMA);
        batch.fill(records, 0, RECORDS, 0, 16);
        int selected = 0;
        for (int i = 0; i < RECORDS; i++) {
            if (random.nextInt(10) > 0) { // a step before has taken others
                batch.selection()[selected++] = i;
            }
        }
        batch.select(selected);
        return batch;
    }

    private long a(int ordinal) {
        return RawBytes.getLongLe(records, ordinal * 16);
    }

    private long b(int ordinal) {
        return RawBytes.getLongLe(records, ordinal * 16 + 8);
    }

    /** Condition i holds for a == i, and has no result if it is evaluated for b == i. */
    @ParameterizedTest
    @ValueSource(ints = {1, 31, 32, 33, 64, 65, 1000})
    void shouldRouteByManyConditions(int count) {
        RecordBatch batch = batch(new Random(count), 2 * count);
        int[] before = Arrays.copyOf(batch.selection(), batch.selected());
        int[] branches = new int[RECORDS];
        new ExpressionCompiler(SCHEMA)
                .router(IntStream.range(0, count)
                        .mapToObj(i -> "1 / (b - " + i + ") < 2 and a == " + i)
                        .toList())
                .loop()
                .route(batch, branches, (_, ordinal, _) -> rejected.add(ordinal));

        List<Integer> kept = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        List<Integer> refused = new ArrayList<>();
        for (int ordinal : before) {
            boolean held = a(ordinal) < count;
            if (b(ordinal) < count && (!held || b(ordinal) <= a(ordinal))) {
                refused.add(ordinal);
            } else {
                kept.add(ordinal);
                expected.add(held ? (int) a(ordinal) : BatchRouter.NONE);
            }
        }
        assertThat(Arrays.copyOf(batch.selection(), batch.selected()))
                .containsExactly(kept.stream().mapToInt(i -> i).toArray());
        assertThat(Arrays.copyOf(branches, kept.size()))
                .containsExactly(expected.stream().mapToInt(i -> i).toArray());
        assertThat(rejected).containsExactlyInAnyOrderElementsOf(refused);
        assertThat(count == 1 || !refused.isEmpty()).isTrue();
    }

    /** Assignment i adds i to a, and has no result if b == i; each sees what the ones before it have assigned. */
    @ParameterizedTest
    @ValueSource(ints = {1, 32, 33, 250, 1000})
    void shouldMakeManyAssignmentsInOrder(int count) {
        Random random = new Random(count);
        RecordBatch batch = batch(random, 2 * count);
        int[] before = Arrays.copyOf(batch.selection(), batch.selected());
        byte[] unchanged = records.clone();
        Field a = Objects.requireNonNull(SCHEMA.field("a"));
        new ExpressionCompiler(SCHEMA)
                .setter(IntStream.range(0, count)
                        .mapToObj(i -> new Assignment(a, "a * 3 % 1000 + " + i + " + 0 * (1 / (b - " + i + "))"))
                        .toList())
                .loop()
                .apply(batch, (_, ordinal, _) -> rejected.add(ordinal));

        List<Integer> kept = new ArrayList<>();
        for (int ordinal : before) {
            long value = RawBytes.getLongLe(unchanged, ordinal * 16);
            for (int i = 0; i < Math.min(count, b(ordinal)); i++) {
                value = value * 3 % 1000 + i;
            }
            assertThat(a(ordinal)).isEqualTo(value);
            if (b(ordinal) >= count) {
                kept.add(ordinal);
            }
        }
        assertThat(Arrays.copyOf(batch.selection(), batch.selected()))
                .containsExactly(kept.stream().mapToInt(i -> i).toArray());
        assertThat(rejected).hasSize(before.length - kept.size());
    }

    private static String joined(int count, String operator, IntFunction<String> condition) {
        return IntStream.range(0, count).mapToObj(condition).collect(Collectors.joining(" " + operator + " "));
    }

    /** Condition i holds for a == i, and has no result if it is evaluated for b == i. */
    @ParameterizedTest
    @ValueSource(ints = {1, 32, 100, 500})
    void shouldFilterByManyAlternatives(int count) {
        RecordBatch batch = batch(new Random(count), 2 * count);
        int[] before = Arrays.copyOf(batch.selection(), batch.selected());
        filter(batch, joined(count, "or", i -> "1 / (b - " + i + ") < 2 and a == " + i));

        assertThat(rejected)
                .containsExactlyInAnyOrderElementsOf(IntStream.of(before)
                        .filter(i -> b(i) < count && (a(i) >= count || b(i) <= a(i)))
                        .boxed()
                        .toList());
        assertThat(Arrays.copyOf(batch.selection(), batch.selected()))
                .containsExactly(IntStream.of(before)
                        .filter(i -> a(i) < count && !rejected.contains(i))
                        .toArray());
    }

    /** Condition i does not hold for a == i, and has no result if it is evaluated for b == i. */
    @ParameterizedTest
    @ValueSource(ints = {1, 32, 100, 500})
    void shouldFilterByManyConditions(int count) {
        RecordBatch batch = batch(new Random(count), 2 * count);
        int[] before = Arrays.copyOf(batch.selection(), batch.selected());
        filter(batch, joined(count, "and", i -> "1 / (b - " + i + ") < 2 and a != " + i));

        assertThat(rejected)
                .containsExactlyInAnyOrderElementsOf(IntStream.of(before)
                        .filter(i -> b(i) < count && (a(i) >= count || b(i) <= a(i)))
                        .boxed()
                        .toList());
        assertThat(Arrays.copyOf(batch.selection(), batch.selected()))
                .containsExactly(IntStream.of(before)
                        .filter(i -> a(i) >= count && !rejected.contains(i))
                        .toArray());
    }

    @Test
    void shouldFilterByManyAlternativesWithinConditions() {
        RecordBatch batch = batch(new Random(7), 1200);
        int[] before = Arrays.copyOf(batch.selection(), batch.selected());
        filter(
                batch,
                "(" + joined(700, "or", i -> "a == " + i) + ") and (" + joined(700, "or", i -> "b == " + i) + ")");

        assertThat(Arrays.copyOf(batch.selection(), batch.selected()))
                .containsExactly(IntStream.of(before)
                        .filter(i -> a(i) < 700 && b(i) < 700)
                        .toArray());
        assertThat(rejected).isEmpty();
    }

    private void filter(RecordBatch batch, String condition) {
        new ExpressionCompiler(SCHEMA).filter(condition).loop().apply(batch, (_, ordinal, _) -> rejected.add(ordinal));
    }
}
