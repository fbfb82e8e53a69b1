package io.millrace.client;

import io.millrace.store.AggregateQuery;
import io.millrace.store.RecordReader;
import io.millrace.store.RegionDefinition;
import io.millrace.store.Store;
import io.millrace.store.StoredRecords;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A region to ask. What is wrong with an expression is an {@link io.millrace.expression.ExpressionException}, whatever
 * keeps the region from answering a {@link io.millrace.store.StoreException}. Thread-safe.
 */
public final class RegionClient<T> {

    private final Store store;
    private final RegionDefinition definition;
    private final List<String> fields;
    private final Function<StoredRecords, RecordReader<T>> reading;

    /**
     * @param fields that records are shown with
     * @param reading makes what shows them
     */
    RegionClient(
            Store store,
            RegionDefinition definition,
            List<String> fields,
            Function<StoredRecords, RecordReader<T>> reading) {
        this.store = store;
        this.definition = definition;
        this.fields = fields;
        this.reading = reading;
    }

    /** What the region holds, and how. */
    public RegionDefinition definition() {
        return definition;
    }

    /**
     * The record of a key: an entry, or of blocks with a key the last record that has it.
     *
     * @param key as text; of several fields their texts, with {@code |} between them
     * @throws io.millrace.codec.FieldValueException where the text is no value of the key's field
     */
    public Optional<T> get(String key) {
        return store.record(definition.name(), key, fields, reading);
    }

    /** Asks for all records. */
    public Selection<T> all() {
        return new Selection<>(store, definition.name(), fields, reading);
    }

    /** Asks for the records for which a condition, in the language of the rules, holds. */
    public Selection<T> where(String condition) {
        return all().where(condition);
    }

    /**
     * Figures of groups of records, of at most {@value AggregateQuery#DEFAULT_LIMIT} groups.
     *
     * @param where condition that records must meet, null for all
     * @param by what makes a group; none is one group
     * @param values {@code count()}, and {@code sum}, {@code min}, {@code max} and {@code avg} of an expression
     * @return groups by the texts of the query
     * @throws IllegalArgumentException where a figure is none
     */
    public List<Map<String, @Nullable Object>> aggregate(@Nullable String where, List<String> by, List<String> values) {
        return store.aggregate(definition.name(), new AggregateQuery(where, by, values, AggregateQuery.DEFAULT_LIMIT))
                .groups();
    }
}
