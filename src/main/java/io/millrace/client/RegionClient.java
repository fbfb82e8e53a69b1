package io.millrace.client;

import io.millrace.schema.Schema;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Answer;
import io.millrace.store.query.OnError;
import io.millrace.store.query.RegionQueries;
import io.millrace.store.query.StoredRecordReader;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.RegionDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A region to query. Invalid expressions cause an {@link io.millrace.expression.error.ExpressionException}, all
 * failures of the region a {@link io.millrace.store.error.StoreException}. Thread-safe.
 */
@API(status = API.Status.STABLE)
public final class RegionClient<T> {

    private final RegionQueries store;
    private final RegionDefinition definition;
    private final List<String> fields;
    private final Function<StoredRecords, StoredRecordReader<T>> reading;

    /**
     * @param fields to show of records
     * @param reading returns the reader of records
     */
    RegionClient(
            RegionQueries store,
            RegionDefinition definition,
            List<String> fields,
            Function<StoredRecords, StoredRecordReader<T>> reading) {
        this.store = store;
        this.definition = definition;
        this.fields = fields;
        this.reading = reading;
    }

    /** Returns the schema of the region's records, with its virtual fields. */
    public Schema schema() {
        return definition.schema();
    }

    /**
     * Returns the record of a key: an entry or, for blocks with a key, the last record that has it.
     *
     * @param key as text; of several fields their texts, with {@code |} between them
     * @throws io.millrace.codec.FieldValueException if the text is not a value of the key's field
     */
    public Optional<T> get(String key) {
        return store.record(definition.name(), key, fields, reading);
    }

    /** Returns a query for all records. */
    public Selection<T> all() {
        return new Selection<>(store, definition.name(), fields, reading);
    }

    /** Returns a query for the records that meet a condition, in the language of the rules. */
    public Selection<T> where(String condition) {
        return all().where(condition);
    }

    /**
     * Returns aggregates of groups of records, of at most {@value AggregateQuery#DEFAULT_LIMIT} groups.
     *
     * @param where condition that records must meet, null for all records
     * @param by keys of a group; empty for a single group
     * @param values {@code count()}, and {@code count}, {@code sum}, {@code min}, {@code max} and {@code avg} of an
     *     expression; each ignores records for which its expression is absent, and is null without a value
     * @return groups by the texts of the query
     * @throws io.millrace.store.query.IncompleteAnswerException if an expression has no result for a record
     * @throws IllegalArgumentException if an aggregate is invalid
     */
    public List<Map<String, @Nullable Object>> aggregate(@Nullable String where, List<String> by, List<String> values) {
        return store.aggregate(definition.name(), new AggregateQuery(where, by, values, AggregateQuery.DEFAULT_LIMIT))
                .groups();
    }

    /**
     * Returns aggregates of groups of records as {@link #aggregate} does, with the counts of the scan.
     *
     * @param onError what to do if an expression has no result for a record
     */
    public Answer<Map<String, @Nullable Object>> fetchAggregate(
            @Nullable String where, List<String> by, List<String> values, OnError onError) {
        return store.aggregates(
                definition.name(),
                new AggregateQuery(where, by, values, AggregateQuery.DEFAULT_LIMIT, onError),
                RegionQueries.TIMEOUT);
    }
}
