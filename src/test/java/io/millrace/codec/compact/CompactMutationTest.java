package io.millrace.codec.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.ChildRows;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.codec.record.FieldBytes;
import io.millrace.codec.record.FieldLocator;
import io.millrace.fuzz.Mutations;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.Schema;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Mutated records of random compact schemas are read or rejected by name, and generated code agrees with the plan. Both
 * read each record between bytes that differ, so a read outside of the record makes them disagree. All values of an
 * accepted record can be read from its rows and in place, and its rows can be encoded again.
 *
 * <p>{@code -Dmillrace.mutations=100000000} reads so many records, in all processors. Prints their number, their rate
 * and the reasons of the rejects.
 */
class CompactMutationTest {

    private static final long MUTATIONS = Long.getLong("millrace.mutations", 100_000);
    private static final long SEED = Long.getLong("millrace.mutations.seed", 34);
    private static final int RECORDS_OF_A_SCHEMA = 5_000;
    private static final long RECORDS_OF_A_LINE = 5_000_000;
    private static final int MARGIN = 16;
    private static final byte CANARY = 0x5A;

    /** All reasons for which a record is rejected. */
    private static final Pattern REASON = Pattern.compile(
            "(Truncated record): .*ends outside of what contains it\\.|(Invalid value) of .*|(Invalid length) of .*"
                    + "|(Invalid number of elements) of .*|(Unexpected bytes) after the last (?:member|element) of .*",
            Pattern.DOTALL);

    /** A record between other bytes. */
    private record Placed(byte[] bytes, int from, int end) {

        /** @param after number of bytes that follow the record */
        static Placed of(byte[] record, byte around, int after) {
            byte[] bytes = new byte[MARGIN + record.length + after];
            Arrays.fill(bytes, around);
            System.arraycopy(record, 0, bytes, MARGIN, record.length);
            return new Placed(bytes, MARGIN, MARGIN + record.length);
        }
    }

    /** A finder and what it wrote last. */
    private static final class Arm {
        private final CompactFinder finder;
        private final byte[] row;
        private final List<ChildRows> children;
        private final List<List<FieldCodec>> elementCodecs;

        Arm(Schema schema, CompactFinder finder) {
            this.finder = finder;
            this.row = new byte[MARGIN + schema.foundLength() + MARGIN];
            Arrays.fill(row, CANARY);
            this.children = schema.groups().stream()
                    .map(group -> new ChildRows(group.rowLength()))
                    .toList();
            this.elementCodecs = schema.groups().stream()
                    .map(group -> group.fields().stream().map(FieldCodecs::of).toList())
                    .toList();
        }

        /** Returns why a record is rejected, or null. */
        @Nullable
        String read(Placed record) {
            children.forEach(ChildRows::clear);
            try {
                finder.find(record.bytes, record.from, record.end, row, MARGIN, children, 0);
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

        /** Returns whether the same values and elements were written; a list without elements may be missing. */
        boolean hasSameContent(Arm other) {
            boolean same = Arrays.equals(row, other.row);
            for (int i = 0; i < children.size(); i++) {
                ChildRows mine = children.get(i);
                ChildRows theirs = other.children.get(i);
                int end = mine.count() * mine.rowLength();
                same &= mine.count() == theirs.count() && Arrays.equals(mine.rows(), 0, end, theirs.rows(), 0, end);
                for (int parent = 0; parent < Math.max(mine.parents(), theirs.parents()); parent++) {
                    same &= mine.end(parent) - mine.first(parent) == theirs.end(parent) - theirs.first(parent);
                }
            }
            return same;
        }

        boolean wroteOutsideOfTheRow() {
            boolean outside = false;
            for (int i = 0; i < MARGIN; i++) {
                outside |= row[i] != CANARY || row[row.length - 1 - i] != CANARY;
            }
            return outside;
        }

        /** Reads all values of all elements from their rows. */
        void readElements() {
            for (int i = 0; i < children.size(); i++) {
                ChildRows rows = children.get(i);
                for (FieldCodec codec : elementCodecs.get(i)) {
                    for (int element = 0; element < rows.count(); element++) {
                        codec.value(rows.rows(), element * rows.rowLength());
                    }
                }
            }
        }
    }

    /** The finders of a schema and of a projection of it, as generated code and as a plan. */
    private static final class Arms {
        private final Schema whole;
        private final Arm plan;
        private final Arm generated;
        private final Arm wantedPlan;
        private final Arm wanted;
        private final Arm again;
        private final CompactEncoder encoder;
        private final FieldLocator locator;
        private final CompactScope scope;
        private final Map<String, FieldCodec> codecs = new HashMap<>();

        Arms(Schema whole, Schema projected) {
            this.whole = whole;
            plan = new Arm(whole, CompactFinder.interpreted(whole, true));
            generated = new Arm(whole, CompactFinder.admission(whole));
            again = new Arm(whole, CompactFinder.admission(whole));
            wantedPlan = new Arm(projected, CompactFinder.interpreted(projected, false));
            wanted = new Arm(projected, CompactFinder.of(projected));
            assertThat(generated.finder.generated()).isNotNull();
            assertThat(wanted.finder.generated()).isNotNull();
            encoder = new CompactEncoder(whole);
            locator = new CompactCodec(whole).locator();
            scope = CompactScope.of(((CompactLayout) whole.layout()).root(), false);
            whole.fields().forEach(field -> codecs.put(field.name(), FieldCodecs.of(field)));
        }

        /** Returns why a record is rejected, or null. */
        @Nullable
        String read(byte[] record, Random random) {
            int after = random.nextBoolean() ? MARGIN : 0;
            boolean ones = random.nextBoolean();
            Placed one = Placed.of(record, (byte) (ones ? 0xFF : 0), after);
            Placed other = Placed.of(record, (byte) (ones ? 0 : 0xFF), MARGIN);
            String reason = same(generated, plan, one, other);
            String reasonOfWanted = same(wanted, wantedPlan, other, one);
            if (reason == null) {
                if (reasonOfWanted != null) {
                    throw new AssertionError("admitted, and later rejected: " + reasonOfWanted);
                }
                readWhole(record, one);
            }
            return reason;
        }

        private static @Nullable String same(Arm generated, Arm plan, Placed one, Placed other) {
            String reason = generated.read(one);
            String reasonOfPlan = plan.read(other);
            if (!Objects.equals(reason, reasonOfPlan) || !generated.wroteSame(plan)) {
                throw new AssertionError("generated: " + reason + ", plan: " + reasonOfPlan);
            }
            if (generated.wroteOutsideOfTheRow()) {
                throw new AssertionError("written outside of the row");
            }
            return reason;
        }

        private void readWhole(byte[] record, Placed placed) {
            generated.readElements();
            for (FieldBytes located : locator.find(placed.bytes, placed.from, placed.end)) {
                if (located.offset() < 0 || located.offset() + located.length() > record.length) {
                    throw new AssertionError(located + " is outside of the record");
                }
            }
            readInPlace(scope.root(), scope.index(record, 0), record);
            encoder.clear();
            encoder.encode(generated.row, MARGIN, generated.children, 0);
            byte[] encoded = encoder.toBytes();
            String reason = again.read(Placed.of(encoded, (byte) 0xFF, 0));
            if (reason != null || !again.hasSameContent(generated)) {
                throw new AssertionError("encoded again: " + reason);
            }
            encoder.clear();
            encoder.encode(again.row, MARGIN, again.children, 0);
            if (!Arrays.equals(encoded, encoder.toBytes())) {
                throw new AssertionError("encoded in another form");
            }
        }

        /** Compares the values of a group in place, as views read them, with those of the row. */
        private void readInPlace(MemberSteps members, byte[] index, byte[] record) {
            for (MemberSteps.Step step : members.steps()) {
                int offset = scope.offset(index, step.slot());
                if (step.inner() != null && offset > 0) {
                    readInPlace(step.inner(), index, record);
                } else if (step.value() != null) {
                    Object inRow =
                            Objects.requireNonNull(codecs.get(step.path())).value(generated.row, MARGIN);
                    Object inPlace = offset == 0
                            ? null
                            : step.valueBit() >= 0
                                    ? (Object) CompactValueReader.truth(offset)
                                    : step.value().value(record, offset);
                    if (!Objects.deepEquals(inRow, inPlace)) {
                        throw new AssertionError(step.path() + ": " + inRow + " in the row, " + inPlace + " in place");
                    }
                }
            }
        }
    }

    @Test
    void shouldReadOrRejectMutatedRecords() {
        long schemas = Math.ceilDiv(MUTATIONS, RECORDS_OF_A_SCHEMA);
        Map<String, Long> rejected = new ConcurrentSkipListMap<>();
        AtomicLong read = new AtomicLong();
        long started = System.nanoTime();
        LongStream.range(0, schemas).parallel().forEach(schema -> {
            readMutations(SEED + schema, rejected);
            if (read.addAndGet(RECORDS_OF_A_SCHEMA) % RECORDS_OF_A_LINE == 0) {
                print(read.get(), started, rejected);
            }
        });
        print(read.get(), started, rejected);
        assertThat(rejected).hasSize(5);
        assertThat(rejected.values().stream().mapToLong(Long::longValue).sum()).isLessThan(read.get());
    }

    private static void print(long read, long started, Map<String, Long> rejected) {
        System.out.printf(
                "compact: seed=%d records=%d perSecond=%d rejected=%s%n",
                SEED, read, read * 1_000_000_000L / Math.max(1, System.nanoTime() - started), rejected);
    }

    /** Reads a random record of a random schema, and mutations of it. */
    private static void readMutations(long seed, Map<String, Long> rejected) {
        Random random = new Random(seed);
        CompactRecords sample = CompactRecords.of(random.nextLong());
        Arms arms = new Arms(sample.schema(), GeneratedFinderTest.projection(sample.schema(), random));
        Mutations mutations = new Mutations(random.nextLong(), List.of(sample.bytes()));
        for (int i = 0; i < RECORDS_OF_A_SCHEMA; i++) {
            byte[] record = i == 0 ? sample.bytes() : i % 2 == 0 ? mutations.next() : changed(sample.bytes(), random);
            String reason;
            try {
                reason = arms.read(record, random);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "Seed " + seed + ", record " + HexFormat.of().formatHex(record) + " of " + arms.whole.layout(),
                        e);
            }
            if (reason != null) {
                rejected.merge(kind(reason), 1L, Long::sum);
            }
        }
    }

    private static String kind(String reason) {
        Matcher matcher = REASON.matcher(reason);
        if (!matcher.matches()) {
            throw new AssertionError("Unknown reason: " + reason);
        }
        for (int i = 1; i < matcher.groupCount(); i++) {
            if (matcher.group(i) != null) {
                return matcher.group(i);
            }
        }
        return matcher.group(matcher.groupCount());
    }

    private static byte[] changed(byte[] record, Random random) {
        byte[] changed = record.clone();
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        return changed;
    }
}
