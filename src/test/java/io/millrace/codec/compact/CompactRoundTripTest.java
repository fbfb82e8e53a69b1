package io.millrace.codec.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.ChildRows;
import io.millrace.schema.Field;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.DescriptionReader;
import io.millrace.schema.evolution.SchemaDescription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random records of random schemas: rows to bytes and back, at offsets other than 0, in dirtied arrays. */
class CompactRoundTripTest {

    private static final int MARGIN = 5;

    /** A random record, as rows and as bytes. */
    private record Sample(Schema schema, byte[] row, List<ChildRows> children, byte[] bytes) {

        static Sample of(Random random) {
            CompactSamples samples = new CompactSamples(random);
            Schema schema = samples.schema();
            CompactEncoder encoder = new CompactEncoder(schema);
            byte[] row = encoder.blank();
            List<ChildRows> children = childRows(schema);
            samples.fill(schema, row, children, 0);
            encoder.encode(row, 0, children, 0);
            return new Sample(schema, row, children, encoder.toBytes());
        }
    }

    private static List<ChildRows> childRows(Schema schema) {
        return schema.groups().stream()
                .map(group -> new ChildRows(group.rowLength()))
                .toList();
    }

    /** The rows that a finder writes for a record. */
    private record Found(byte[] row, List<ChildRows> children) {

        static Found of(Schema schema, CompactFinder finder, byte[] record, Random random) {
            byte[] bytes = new byte[record.length + 2 * MARGIN];
            random.nextBytes(bytes);
            System.arraycopy(record, 0, bytes, MARGIN, record.length);
            byte[] row = new byte[schema.foundLength() + MARGIN];
            random.nextBytes(row);
            List<ChildRows> children = childRows(schema);
            finder.find(bytes, MARGIN, MARGIN + record.length, row, MARGIN, children, 0);
            return new Found(Arrays.copyOfRange(row, MARGIN, row.length), children);
        }
    }

    @Property(tries = 2000)
    void shouldReadWhatWasWritten(@ForAll long seed) {
        Random random = new Random(seed);
        Sample sample = Sample.of(random);
        for (CompactFinder finder : List.of(CompactFinder.admission(sample.schema), CompactFinder.of(sample.schema))) {
            Found found = Found.of(sample.schema, finder, sample.bytes, random);
            assertThat(found.row).isEqualTo(sample.row);
            for (int i = 0; i < found.children.size(); i++) {
                assertSameRows(found.children.get(i), sample.children.get(i));
            }
        }
    }

    @Property(tries = 500)
    void shouldReadWithTheSchemaOfADescription(@ForAll long seed) {
        Random random = new Random(seed);
        Sample sample = Sample.of(random);
        Schema restored = DescriptionReader.read(SchemaDescription.of(sample.schema));
        Found found = Found.of(restored, CompactFinder.admission(restored), sample.bytes, random);
        assertThat(found.row).isEqualTo(sample.row);
        for (int i = 0; i < found.children.size(); i++) {
            assertSameRows(found.children.get(i), sample.children.get(i));
        }
    }

    private static void assertSameRows(ChildRows found, ChildRows expected) {
        assertThat(found.count()).isEqualTo(expected.count());
        int bytes = expected.count() * expected.rowLength();
        assertThat(Arrays.copyOf(found.rows(), bytes)).isEqualTo(Arrays.copyOf(expected.rows(), bytes));
    }

    @Property(tries = 1000)
    void shouldReadWantedFieldsOnly(@ForAll long seed) {
        Random random = new Random(seed);
        Sample sample = Sample.of(random);
        Set<String> wanted = new TreeSet<>();
        List<String> all = new ArrayList<>();
        sample.schema.fields().forEach(field -> all.add(field.name()));
        for (RepeatedGroup group : sample.schema.groups()) {
            all.add(group.path());
            group.fields().forEach(field -> all.add(field.name()));
        }
        all.stream().filter(_ -> random.nextInt(3) == 0).forEach(wanted::add);
        Schema projected = sample.schema.project(wanted);
        Found found = Found.of(projected, CompactFinder.of(projected), sample.bytes, random);
        for (Field field : projected.fields()) {
            assertThat(wanted).contains(field.name());
            assertSameField(
                    field, found.row, 0, Objects.requireNonNull(sample.schema.field(field.name())), sample.row, 0);
        }
        for (int i = 0; i < projected.groups().size(); i++) {
            RepeatedGroup group = projected.groups().get(i);
            int whole = CompactSamples.index(sample.schema, group.path());
            ChildRows expected = sample.children.get(whole);
            ChildRows rows = found.children.get(i);
            assertThat(rows.count()).as(group.path()).isEqualTo(expected.count());
            for (Field field : group.fields()) {
                for (int j = 0; j < rows.count(); j++) {
                    assertSameField(
                            field,
                            rows.rows(),
                            j * rows.rowLength(),
                            Objects.requireNonNull(
                                    sample.schema.groups().get(whole).field(field.name())),
                            expected.rows(),
                            j * expected.rowLength());
                }
            }
        }
    }

    private static void assertSameField(Field field, byte[] row, int at, Field other, byte[] otherRow, int otherAt) {
        assertThat(Arrays.copyOfRange(row, at + field.offset(), at + field.end()))
                .as(field.name())
                .isEqualTo(Arrays.copyOfRange(otherRow, otherAt + other.offset(), otherAt + other.end()));
    }

    @Property(tries = 300)
    void shouldRefuseTruncatedRecords(@ForAll long seed) {
        Random random = new Random(seed);
        Sample sample = Sample.of(random);
        CompactFinder finder = CompactFinder.admission(sample.schema);
        for (int length = 0; length < sample.bytes.length; length++) {
            byte[] cut = Arrays.copyOf(sample.bytes, length);
            assertThatExceptionOfType(MalformedRecordException.class)
                    .as("%s of %s bytes", length, sample.bytes.length)
                    .isThrownBy(() -> Found.of(sample.schema, finder, cut, random))
                    .withMessageContaining("record");
        }
    }

    @Property(tries = 2000)
    void shouldRefuseMutatedRecordsOrReadValuesThatCanBeWritten(@ForAll long seed) {
        Random random = new Random(seed);
        Sample sample = Sample.of(random);
        CompactFinder finder = CompactFinder.admission(sample.schema);
        CompactEncoder encoder = new CompactEncoder(sample.schema);
        for (int i = 0; i < 20; i++) {
            byte[] mutated = sample.bytes.clone();
            for (int j = 0; j <= random.nextInt(3); j++) {
                mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
            }
            Found found;
            try {
                found = Found.of(sample.schema, finder, mutated, random);
            } catch (MalformedRecordException _) {
                continue;
            }
            encoder.clear();
            encoder.encode(found.row, 0, found.children, 0);
            Found again = Found.of(sample.schema, finder, encoder.toBytes(), random);
            assertThat(again.row).isEqualTo(found.row);
        }
    }
}
