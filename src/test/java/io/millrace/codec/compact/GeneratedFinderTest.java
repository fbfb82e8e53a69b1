package io.millrace.codec.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.ChildRows;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Generated code finds the same as the plan that it was generated from, and records are rejected for the same reason.
 */
class GeneratedFinderTest {

    /** Records of a batch, of which the second is the one that may be malformed. */
    private static final int RECORDS = 3;

    /** What a finder reports for the records of a batch. */
    private record Result(List<String> rejects, List<String> rows, List<String> children) {

        static Result of(Schema schema, CompactFinder finder, byte[] good, byte[] changed) {
            List<ChildRows> children = schema.groups().stream()
                    .map(group -> new ChildRows(group.rowLength()))
                    .toList();
            List<String> rejects = new ArrayList<>();
            List<String> rows = new ArrayList<>();
            for (int ordinal = 0; ordinal < RECORDS; ordinal++) {
                byte[] record = ordinal == 1 ? changed : good;
                byte[] row = new byte[schema.foundLength()];
                try {
                    finder.find(record, 0, record.length, row, 0, children, ordinal);
                    rejects.add("");
                } catch (MalformedRecordException e) {
                    rejects.add(Objects.requireNonNull(e.getMessage()));
                }
                rows.add(Arrays.toString(row));
            }
            return new Result(rejects, rows, describe(schema, children));
        }

        private static List<String> describe(Schema schema, List<ChildRows> children) {
            List<String> described = new ArrayList<>();
            for (int i = 0; i < children.size(); i++) {
                ChildRows rows = children.get(i);
                int parent = schema.groups().get(i).parent();
                int parents = parent < 0 ? RECORDS : children.get(parent).count();
                rows.reach(parents);
                described.add(Arrays.toString(Arrays.copyOf(rows.bounds(), 2 * parents)) + " of " + rows.parents()
                        + Arrays.toString(Arrays.copyOf(rows.rows(), rows.count() * rows.rowLength())));
            }
            return described;
        }
    }

    static Schema projection(Schema schema, Random random) {
        Set<String> wanted = new TreeSet<>();
        int share = 1 + random.nextInt(4);
        schema.fields().forEach(field -> choose(field.name(), share, random, wanted));
        for (RepeatedGroup group : schema.groups()) {
            choose(group.path(), share, random, wanted);
            group.fields().forEach(field -> choose(field.name(), share, random, wanted));
        }
        return schema.project(wanted);
    }

    private static void choose(String path, int share, Random random, Set<String> wanted) {
        if (random.nextInt(share) == 0) {
            wanted.add(path);
        }
    }

    @Property(tries = 500)
    void shouldFindWhatThePlanFinds(@ForAll long seed) {
        Random random = new Random(seed);
        CompactSamples samples = new CompactSamples(random);
        Schema whole = samples.schema();
        byte[] record = record(samples, whole);
        Schema schema = projection(whole, random);
        for (boolean admission : new boolean[] {false, true}) {
            CompactFinder plan = CompactFinder.interpreted(schema, admission);
            CompactFinder generated = admission ? CompactFinder.admission(schema) : CompactFinder.of(schema);
            assertThat(generated.generated()).isNotNull();
            assertSame(schema, generated, plan, record, record);
            for (int length = 0; length < record.length; length += 1 + random.nextInt(1 + record.length / 64)) {
                assertSame(schema, generated, plan, record, Arrays.copyOf(record, length));
            }
            for (int i = 0; i < 40; i++) {
                byte[] mutated = record.clone();
                for (int j = 0; j <= random.nextInt(3); j++) {
                    mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
                }
                assertSame(schema, generated, plan, record, mutated);
            }
            assertSame(schema, generated, plan, record, Arrays.copyOf(record, record.length + 1));
        }
    }

    @Test
    void shouldGenerateTheCodeOfARowOnce() {
        Schema schema = new CompactSamples(new Random(7)).schema();
        Schema less = schema.project(Set.of());
        assertThat(CompactFinder.of(schema.project(Set.of())).generated())
                .isNotNull()
                .isSameAs(CompactFinder.of(less).generated())
                .isNotSameAs(CompactFinder.of(schema).generated())
                .isNotSameAs(CompactFinder.admission(less).generated());
    }

    /** Members of a record, of which the last is optional: too many for the bits, or for a method. */
    @ParameterizedTest
    @ValueSource(
            ints = {FinderSteps.MAX_BITS, FinderSteps.MAX_BITS + 1, FinderClass.MAX_MEMBERS, FinderClass.MAX_MEMBERS + 1
            })
    void shouldReadRecordsOfManyMembers(int count) {
        boolean bits = count <= FinderSteps.MAX_BITS + 1;
        List<CompactMember> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Field field =
                    Field.of("f" + i, new FieldType.IntegerType(IntStorage.of(4, false, ByteOrder.BIG_ENDIAN)), 0);
            members.add(new CompactValue(bits ? field.withNullFlag() : field, List.of()));
        }
        Schema schema = Schema.of("many", new CompactLayout(new CompactGroup(members)), List.of());
        byte[] record = record(new CompactSamples(new Random(count)), schema);
        CompactFinder finder = CompactFinder.admission(schema);
        boolean fits = bits ? count <= FinderSteps.MAX_BITS : count <= FinderClass.MAX_MEMBERS;
        assertThat(finder.generated() != null).isEqualTo(fits);
        assertSame(schema, finder, CompactFinder.interpreted(schema, true), record, Arrays.copyOf(record, 9));
    }

    private static byte[] record(CompactSamples samples, Schema schema) {
        CompactEncoder encoder = new CompactEncoder(schema);
        byte[] row = encoder.blank();
        List<ChildRows> children = schema.groups().stream()
                .map(group -> new ChildRows(group.rowLength()))
                .toList();
        samples.fill(schema, row, children, 0);
        encoder.encode(row, 0, children, 0);
        return encoder.toBytes();
    }

    private static void assertSame(
            Schema schema, CompactFinder generated, CompactFinder plan, byte[] good, byte[] changed) {
        assertThat(Result.of(schema, generated, good, changed)).isEqualTo(Result.of(schema, plan, good, changed));
    }
}
