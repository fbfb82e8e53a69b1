package io.millrace.codec.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.ChildRows;
import io.millrace.fuzz.Mutations;
import io.millrace.schema.Schema;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Mutated records of random compact schemas are read or rejected by name, and generated code agrees with the plan.
 *
 * <p>{@code -Dmillrace.mutations=100000000} reads so many records. Prints their number and rate.
 */
class CompactMutationTest {

    private static final long MUTATIONS = Long.getLong("millrace.mutations", 100_000);
    private static final long SEED = Long.getLong("millrace.mutations.seed", 34);
    private static final int RECORDS_OF_A_SCHEMA = 5_000;

    /** All reasons for which a record is rejected. */
    private static final Pattern REASON = Pattern.compile(
            "Truncated record: .*ends outside of what contains it\\.|Invalid value of .*|Invalid length of .*"
                    + "|Invalid number of elements of .*|Unexpected bytes after the last (member|element) of .*");

    /** A finder and what it wrote last. */
    private static final class Arm {
        private final CompactFinder finder;
        private final byte[] row;
        private final List<ChildRows> children;

        Arm(Schema schema, CompactFinder finder) {
            this.finder = finder;
            this.row = new byte[schema.foundLength()];
            this.children = schema.groups().stream()
                    .map(group -> new ChildRows(group.rowLength()))
                    .toList();
        }

        /** Returns why a record is rejected, or null. */
        @Nullable
        String read(byte[] record) {
            children.forEach(ChildRows::clear);
            try {
                finder.find(record, 0, record.length, row, 0, children, 0);
                return null;
            } catch (MalformedRecordException e) {
                return Objects.requireNonNull(e.getMessage());
            }
        }

        boolean wroteSame(Arm other) {
            boolean same = Arrays.equals(row, other.row);
            for (int i = 0; i < children.size(); i++) {
                ChildRows mine = children.get(i);
                ChildRows theirs = other.children.get(i);
                int end = mine.count() * mine.rowLength();
                same &= mine.count() == theirs.count()
                        && mine.parents() == theirs.parents()
                        && Arrays.equals(mine.rows(), 0, end, theirs.rows(), 0, end)
                        && Arrays.equals(
                                mine.bounds(), 0, 2 * mine.parents(), theirs.bounds(), 0, 2 * theirs.parents());
            }
            return same;
        }
    }

    @Test
    void shouldReadOrRejectMutatedRecords() {
        Random random = new Random(SEED);
        long read = 0;
        long rejected = 0;
        long started = System.nanoTime();
        while (read < MUTATIONS) {
            CompactRecords sample = CompactRecords.of(random.nextLong());
            boolean admission = random.nextBoolean();
            Schema schema = admission ? sample.schema() : GeneratedFinderTest.projection(sample.schema(), random);
            Arm plan = new Arm(schema, CompactFinder.interpreted(schema, admission));
            Arm generated = new Arm(schema, admission ? CompactFinder.admission(schema) : CompactFinder.of(schema));
            assertThat(generated.finder.generated()).isNotNull();
            Mutations mutations = new Mutations(random.nextLong(), List.of(sample.bytes()));
            for (int i = 0; i < RECORDS_OF_A_SCHEMA; i++, read++) {
                byte[] record =
                        i == 0 ? sample.bytes() : i % 2 == 0 ? mutations.next() : changed(sample.bytes(), random);
                String reason = generated.read(record);
                if (!Objects.equals(reason, plan.read(record))
                        || !generated.wroteSame(plan)
                        || (reason != null && !REASON.matcher(reason).matches())) {
                    throw new AssertionError(reason + " / " + plan.read(record) + " for "
                            + HexFormat.of().formatHex(record) + " of " + schema.layout());
                }
                rejected += reason == null ? 0 : 1;
            }
        }
        System.out.printf(
                "compact: records=%d perSecond=%d rejected=%d%n",
                read, read * 1_000_000_000L / Math.max(1, System.nanoTime() - started), rejected);
        assertThat(rejected).isPositive().isLessThan(read);
    }

    private static byte[] changed(byte[] record, Random random) {
        byte[] changed = record.clone();
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        return changed;
    }
}
