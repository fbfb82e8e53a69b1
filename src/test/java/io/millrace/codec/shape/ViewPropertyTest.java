package io.millrace.codec.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.ChildRows;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.compact.CompactRecords;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.Member;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.schema.Field;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random records of random schemas: what is read in place is what the codecs read from rows, and what is written is
 * what the encoder writes.
 */
class ViewPropertyTest {

    private final List<Object> values = new ArrayList<>();

    @Property(tries = 1000)
    void shouldReadInPlaceWhatIsInTheRows(@ForAll long seed) {
        CompactRecords sample = CompactRecords.of(seed);
        Shape shape = Shapes.of(sample.schema());
        var scope = Objects.requireNonNull(shape.scope.compact);
        Part part = new Part.Compact(scope, sample.bytes(), 0, scope.index(sample.bytes(), 0));
        values.clear();
        compare(sample, shape, part, sample.row(), 0, sample.schema().fields(), 0, true);
    }

    private void compare(
            CompactRecords sample,
            Shape shape,
            Part part,
            byte[] row,
            int at,
            Iterable<Field> fields,
            int parent,
            boolean there) {
        for (Member member : shape.members.values()) {
            switch (member) {
                case ValueMember value -> {
                    if (there) {
                        assertThat(read(() -> part.value(value)))
                                .as(value.path())
                                .isEqualTo(
                                        read(() -> codec(fields, value.path()).value(row, at)));
                    }
                }
                case GroupMember group ->
                    compare(sample, group.shape(), part, row, at, fields, parent, there && part.has(group));
                case ListMember list -> {
                    RepeatedGroup rows = sample.schema().groups().get(list.groupIndex());
                    ChildRows children = sample.children().get(list.groupIndex());
                    List<Part> elements = there ? part.elements(list) : List.of();
                    int first = there ? children.first(parent) : 0;
                    assertThat(elements).hasSize(there ? children.end(parent) - first : 0);
                    for (int i = 0; i < elements.size(); i++) {
                        compare(
                                sample,
                                list.shape(),
                                elements.get(i),
                                children.rows(),
                                (first + i) * rows.rowLength(),
                                rows.fields(),
                                first + i,
                                true);
                    }
                }
            }
        }
    }

    private static io.millrace.codec.FieldCodec codec(Iterable<Field> fields, String path) {
        for (Field field : fields) {
            if (field.name().equals(path)) {
                Schema single = new Schema("single", field.end(), List.of(field), List.of());
                return RecordCodec.of(single).codec(path);
            }
        }
        throw new AssertionError(path);
    }

    /** Returns a value, or that it is none. */
    private static Object read(java.util.function.Supplier<? extends @org.jspecify.annotations.Nullable Object> value) {
        try {
            Object read = value.get();
            return read instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(read);
        } catch (FieldValueException | IllegalArgumentException _) {
            return "invalid";
        }
    }

    @Property(tries = 1000)
    void shouldWriteWhatTheEncoderWrites(@ForAll long seed) {
        CompactRecords sample = CompactRecords.of(seed);
        Shape shape = Shapes.of(sample.schema());
        CompactRows rows = new CompactRows(sample.schema(), shape.scope);
        assertThat(rows.write(rows.read(sample.bytes()))).isEqualTo(sample.bytes());
    }

    @Property(tries = 1000)
    void shouldWriteWhatIsSetValueByValue(@ForAll long seed) {
        CompactRecords sample = CompactRecords.of(seed);
        Shape shape = Shapes.of(sample.schema());
        var scope = Objects.requireNonNull(shape.scope.compact);
        Part part = new Part.Compact(scope, sample.bytes(), 0, scope.index(sample.bytes(), 0));
        RowNode node = RowNode.blank(shape.scope);
        RowCopy.copy(shape, part, node.row(), 0, node);
        byte[] written = new CompactRows(sample.schema(), shape.scope).write(node);
        Part again = new Part.Compact(scope, written, 0, scope.index(written, 0));
        assertThat(Part.content(shape, again)).isEqualTo(Part.content(shape, part));
        assertThat(written).isEqualTo(sample.bytes());
    }
}
