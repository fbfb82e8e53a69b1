package io.millrace.codec.tagged;

import io.millrace.codec.FieldBytes;
import io.millrace.schema.Schema;
import io.millrace.schema.TaggedLayout;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Tells where in a tagged record the values of its fields lie, for people to see. Not thread-safe. */
public final class TaggedFieldLocations {

    private final Map<String, FieldBytes> places = new HashMap<>();
    private final TaggedFinder finder;
    private final byte[] row;

    private TaggedFieldLocations(Schema schema, TaggedLayout layout) {
        finder = new TaggedFinder(
                schema,
                layout,
                (field, found, codec) -> new PlacedSlot(field, found, Slot.of(field, found, codec), places));
        row = new byte[schema.foundLength()];
    }

    /**
     * For the fields that a schema's row has room for.
     *
     * @param schema of the tagged layout
     */
    public static TaggedFieldLocations of(Schema schema) {
        return new TaggedFieldLocations(schema, Objects.requireNonNull(schema.tagged(), "the layout is tagged"));
    }

    /**
     * The values of a record that are there and of their field's type, first things first; of elements that are only
     * counted the last.
     *
     * @param from first byte of the record, from where offsets count
     * @param to byte past the record
     */
    public List<FieldBytes> find(byte[] bytes, int from, int to) {
        places.clear();
        finder.find(bytes, from, to, row, 0);
        return places.values().stream()
                .map(place -> new FieldBytes(place.name(), place.offset() - from, place.length()))
                .sorted(Comparator.comparingInt(FieldBytes::offset).thenComparing(FieldBytes::name))
                .toList();
    }
}
