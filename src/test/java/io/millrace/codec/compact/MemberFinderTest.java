package io.millrace.codec.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.compact.MemberSteps.Step;
import io.millrace.fuzz.Mutations;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares the code that finds members of elements with the index of all members. */
class MemberFinderTest {

    private static final int SCHEMAS = 1000;
    private static final int MUTATIONS = 50;
    private static final int MARGIN = 16;

    /** Random records, each as an element between other bytes. */
    @Test
    void shouldFindWhatTheIndexHas() {
        Random random = new Random(3);
        int found = 0;
        int unexpected = 0;
        for (int i = 0; i < SCHEMAS; i++) {
            CompactRecords sample = CompactRecords.of(random.nextLong());
            CompactLayout layout = (CompactLayout) sample.schema().layout();
            CompactScope scope = CompactScope.of(layout.root(), true).withFinders();
            if (!scope.small()) {
                continue;
            }
            Mutations mutations = new Mutations(random.nextLong(), List.of(sample.bytes()));
            found += compare(scope, sample.bytes(), random);
            for (int j = 0; j < MUTATIONS; j++) {
                int compared = compare(scope, j % 2 == 0 ? mutations.next() : changed(sample.bytes(), random), random);
                found += compared;
                unexpected += scope.slots() - compared;
            }
        }
        assertThat(found).isGreaterThan(SCHEMAS);
        assertThat(unexpected).isGreaterThan(SCHEMAS);
    }

    /** Returns the number of members that generated code found. */
    private static int compare(CompactScope scope, byte[] record, Random random) {
        byte[] bytes = between(record, random);
        int end = MARGIN + Varint.bytes(record.length) + record.length;
        byte[] index = index(scope, bytes);
        int found = 0;
        for (int slot = 0; slot < scope.slots(); slot++) {
            int entry = entry(scope, bytes, slot);
            if (entry == FinderSteps.UNEXPECTED) {
                continue;
            }
            found++;
            Step step = scope.root().steps().get(slot);
            if (index.length > 0) {
                assertThat(entry).isEqualTo(scope.offset(index, slot));
                assertThat(scope.find(bytes, MARGIN, slot)).isEqualTo(entry);
            } else if (step.valueBit() < 0 && entry > 0) {
                assertThat(step.end(bytes, MARGIN + entry, end)).isLessThanOrEqualTo(end);
            }
        }
        return found;
    }

    /** Returns the index, which is empty if any member is malformed. */
    private static byte[] index(CompactScope scope, byte[] bytes) {
        try {
            return scope.index(bytes, MARGIN);
        } catch (IllegalArgumentException _) {
            return new byte[0];
        }
    }

    private static int entry(CompactScope scope, byte[] bytes, int slot) {
        try {
            return (int) scope.finders().get(slot).invokeExact(bytes, MARGIN);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] changed(byte[] record, Random random) {
        byte[] changed = record.clone();
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        return changed;
    }

    /** Random records, alone and as elements between other bytes. */
    @Test
    void shouldMakeTheIndexThatTheWalkMakes() {
        Random random = new Random(4);
        int generated = 0;
        int made = 0;
        int refused = 0;
        int wide = 0;
        for (int i = 0; i < SCHEMAS; i++) {
            CompactRecords sample = CompactRecords.of(random.nextLong());
            CompactLayout layout = (CompactLayout) sample.schema().layout();
            boolean element = i % 2 == 0;
            CompactScope walk = CompactScope.of(layout.root(), element);
            CompactScope scope = walk.withFinders();
            if (scope.locator() == null) {
                continue;
            }
            generated++;
            Mutations mutations = new Mutations(random.nextLong(), List.of(sample.bytes()));
            for (int j = 0; j <= MUTATIONS; j++) {
                byte[] record =
                        j == 0 ? sample.bytes() : j % 2 == 0 ? mutations.next() : changed(sample.bytes(), random);
                byte[] bytes = element ? between(record, random) : record;
                int at = element ? MARGIN : 0;
                Object expected = indexOrReason(walk, bytes, at);
                assertThat(indexOrReason(scope, bytes, at)).isEqualTo(expected);
                if (expected instanceof List<?> index) {
                    made++;
                    wide += index.size() > scope.slots() ? 1 : 0;
                } else {
                    refused++;
                }
            }
        }
        assertThat(generated).isGreaterThan(SCHEMAS / 2);
        assertThat(made).isGreaterThan(SCHEMAS);
        assertThat(refused).isGreaterThan(SCHEMAS);
        assertThat(wide).isGreaterThan(SCHEMAS / 100);
    }

    private static Object indexOrReason(CompactScope scope, byte[] bytes, int at) {
        try {
            byte[] index = scope.index(bytes, at);
            return IntStream.range(0, index.length).mapToObj(i -> index[i]).toList();
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Returns an element between other bytes. */
    private static byte[] between(byte[] record, Random random) {
        byte[] bytes = new byte[MARGIN + Varint.MAX_BYTES + record.length + random.nextInt(2) * MARGIN];
        Arrays.fill(bytes, (byte) random.nextInt());
        System.arraycopy(record, 0, bytes, Varint.put(bytes, MARGIN, record.length), record.length);
        return bytes;
    }

    @Test
    void shouldFindAMemberBeforeATruncatedOne() {
        CompactScope scope = CompactScope.of(numbers(2), true).withFinders();
        byte[] element = {2, 0, 5};
        assertThat(scope.find(element, 0, 0)).isEqualTo(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> scope.find(element, 0, 1))
                .withMessageStartingWith("Truncated record: the value of f1");
    }

    @Test
    void shouldFindMembersBehindBitsOfANewerSchema() {
        CompactScope scope = CompactScope.of(numbers(1), true).withFinders();
        byte[] element = {12, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 5, 6};
        assertThat(scope.find(element, 0, 0)).isEqualTo(11);
    }

    @Test
    void shouldUseAnIndexForRecordsAndLargeElements() {
        assertThat(CompactScope.of(numbers(8), true).withFinders().small()).isTrue();
        assertThat(CompactScope.of(numbers(8), false).withFinders().small()).isFalse();
        assertThat(CompactScope.of(numbers(9), true).withFinders().small()).isFalse();
    }

    @Test
    void shouldNotGenerateCodeThatTheCompilerRefuses() {
        assertThat(CompactScope.of(numbers(100), false).withFinders().locator()).isNotNull();
        assertThat(CompactScope.of(numbers(101), false).withFinders().locator()).isNull();
    }

    private static CompactGroup numbers(int count) {
        FieldType number = new FieldType.IntegerType(IntStorage.of(8, true, ByteOrder.BIG_ENDIAN));
        return new CompactGroup(IntStream.range(0, count)
                .<CompactMember>mapToObj(i -> new CompactValue(Field.of("f" + i, number, 0), List.of()))
                .toList());
    }
}
