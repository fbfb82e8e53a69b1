package io.millrace.codec.tagged;

import io.millrace.codec.record.FieldBytes;
import io.millrace.codec.record.FieldLocator;
import io.millrace.schema.Schema;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Locates the values of fields in a tagged record, for display. Not thread-safe. */
public final class TaggedFieldLocations implements FieldLocator {

    private final Map<String, FieldBytes> places = new HashMap<>();
    private final TaggedFinder finder;
    private final byte[] row;

    private TaggedFieldLocations(Schema schema) {
        finder = TaggedFinder.interpreted(
                schema, (field, found, codec) -> new PlacedSlot(Slots.of(field, found, codec), places));
        row = new byte[schema.foundLength()];
    }

    /**
     * Returns an instance for the fields of a schema's row.
     *
     * @param schema schema of the tagged layout
     */
    public static TaggedFieldLocations of(Schema schema) {
        return new TaggedFieldLocations(schema);
    }

    /**
     * Returns the locations of all valid values in a record, ordered by offset. For counted elements, it is that of the
     * last one.
     */
    @Override
    public List<FieldBytes> find(byte[] bytes, int start, int end) {
        places.clear();
        finder.find(bytes, start, end, row, 0);
        return places.values().stream()
                .map(place -> new FieldBytes(place.name(), place.offset() - start, place.length()))
                .sorted(Comparator.comparingInt(FieldBytes::offset).thenComparing(FieldBytes::name))
                .toList();
    }
}
