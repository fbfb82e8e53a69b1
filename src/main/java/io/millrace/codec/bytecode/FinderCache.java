package io.millrace.codec.bytecode;

import io.millrace.schema.Field;
import io.millrace.schema.RecordLayout;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Generated code that reads records, by layout and by the rows that it writes. Queries create a finder for each scan,
 * and views one for each copy: without the cache, they would generate a class each time, whose code the JIT compiler
 * had not seen. Thread-safe.
 *
 * @param <T> the generated code
 */
public final class FinderCache<T> {

    /** Maximum number of classes for one layout: the projections of pipelines, and of the latest queries. */
    static final int MAX_CLASSES = 200;

    private final Map<RecordLayout, Map<Rows, Optional<T>>> finders = new WeakHashMap<>();

    /** The rows of a projection: everything that a plan takes from the schema, and not from its layout. */
    private record Rows(Object use, int length, List<Place> fields, List<List<Place>> groups) {

        static Rows of(Schema schema, Object use) {
            return new Rows(
                    use,
                    schema.foundLength(),
                    schema.fields().stream()
                            .filter(field -> field.offset() < schema.foundLength())
                            .map(Place::of)
                            .toList(),
                    schema.groups().stream().map(Rows::places).toList());
        }

        private static List<Place> places(RepeatedGroup group) {
            List<Place> places = new ArrayList<>();
            places.add(new Place(group.path(), group.rowLength()));
            group.fields().forEach(field -> places.add(Place.of(field)));
            return places;
        }
    }

    private record Place(String name, int offset) {

        static Place of(Field field) {
            return new Place(field.name(), field.offset());
        }
    }

    /**
     * Returns the code for the records of a schema, or null if it would be too large.
     *
     * @param use what the code checks and reads; has {@code equals}
     * @param generate generates the code, or returns null
     */
    public synchronized @Nullable T get(Schema schema, Object use, Supplier<@Nullable T> generate) {
        return finders.computeIfAbsent(schema.layout(), _ -> new Latest<>())
                .computeIfAbsent(Rows.of(schema, use), _ -> Optional.ofNullable(generate.get()))
                .orElse(null);
    }

    /** Contains the entries that were used last. */
    private static final class Latest<K, V> extends LinkedHashMap<K, V> {

        private static final long serialVersionUID = 1;

        Latest() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > MAX_CLASSES;
        }
    }
}
