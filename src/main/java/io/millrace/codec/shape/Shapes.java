package io.millrace.codec.shape;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.compact.CompactScope;
import io.millrace.codec.compact.CompactValueReader;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.Scope;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.FixedLayout;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import io.millrace.schema.TaggedLayout;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** Builds the shape of records from their schema. */
public final class Shapes {

    private final Schema schema;

    private Shapes(Schema schema) {
        this.schema = schema;
    }

    /** Returns a shape with members of these names. The offsets of their elements are not known. */
    public static Shape ofNames(Collection<String> names) {
        Shape shape = new Shape("", new Scope());
        names.forEach(name -> shape.add(new GroupMember(name, new Shape(name, new Scope()), null, 0)));
        return shape;
    }

    /**
     * Returns the shape of the records of a schema.
     *
     * @throws IllegalArgumentException if the schema has the tagged layout, or the compact layout with added fields
     */
    public static Shape of(Schema schema) {
        Shape shape = shape(schema);
        shape.addTypes(schema);
        return shape;
    }

    private static Shape shape(Schema schema) {
        return switch (schema.layout()) {
            case CompactLayout layout when schema.recordLength() == schema.foundLength() -> compact(schema, layout);
            case FixedLayout _ -> {
                RecordCodec codec = RecordCodec.of(schema);
                List<String> names =
                        schema.fields().stream().map(field -> field.name()).toList();
                Shape rows = RowShapes.of(names, codec::codec);
                rows.scope.rowLength = schema.recordLength();
                rows.scope.codecs.addAll(codec.codecs());
                yield rows;
            }
            case CompactLayout _, TaggedLayout _ ->
                throw new IllegalArgumentException("Unable to create views of the records of schema '" + schema.name()
                        + "', which have the tagged layout or added fields. Use MillraceClient.");
        };
    }

    private static Shape compact(Schema schema, CompactLayout layout) {
        RecordCodec codec = RecordCodec.of(schema);
        Scope scope = new Scope();
        scope.rowLength = schema.foundLength();
        scope.codecs.addAll(codec.codecs());
        scope.compact = CompactScope.of(layout.root(), false).withFinders();
        Shape shape = new Shape("", scope);
        new Shapes(schema).fill(shape, layout.root(), codec::codec);
        return shape;
    }

    private void fill(Shape shape, CompactGroup group, Function<String, FieldCodec> codecs) {
        for (CompactMember member : group.members()) {
            CompactScope compact = shape.scope.compact;
            int slot = compact == null ? 0 : compact.slot(member.path());
            String name = name(member.path());
            shape.add(
                    switch (member) {
                        case CompactValue value ->
                            new ValueMember(
                                    name,
                                    value.path(),
                                    () -> codecs.apply(value.path()),
                                    slot,
                                    CompactValueReader.of(value));
                        case CompactPart part when part.repeats() -> list(shape, part, name, slot);
                        case CompactPart part -> {
                            Shape inner = new Shape(part.path(), shape.scope);
                            fill(inner, part.group(), codecs);
                            yield new GroupMember(
                                    name, inner, part.optional() ? () -> codecs.apply(part.presence()) : null, slot);
                        }
                    });
        }
    }

    private ListMember list(Shape shape, CompactPart part, String name, int slot) {
        int index = schema.groups().stream().map(RepeatedGroup::path).toList().indexOf(part.path());
        RepeatedGroup rows = schema.groups().get(index);
        RecordCodec codec = RecordCodec.of(new Schema(part.path(), rows.rowLength(), rows.fields(), List.of()));
        Scope scope = new Scope();
        scope.rowLength = rows.rowLength();
        scope.codecs.addAll(codec.codecs());
        Shape inner = new Shape(part.path(), scope);
        if (part.bare()) {
            CompactValue value = (CompactValue) part.group().members().getFirst();
            inner.add(new ValueMember(
                    name, value.path(), () -> codec.codec(value.path()), 0, CompactValueReader.of(value)));
        } else {
            scope.compact = CompactScope.of(part.group(), true).withFinders();
            fill(inner, part.group(), codec::codec);
        }
        ListMember list = new ListMember(
                name, part.path(), inner, part.bare(), shape.scope.lists.size(), index, slot, 0, 0, part.maxElements());
        shape.scope.lists.add(list);
        return list;
    }

    private static String name(String path) {
        String last = path.substring(path.lastIndexOf('.') + 1);
        return last.endsWith("[]") ? last.substring(0, last.length() - 2) : last;
    }
}
