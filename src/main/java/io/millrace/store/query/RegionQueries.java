package io.millrace.store.query;

import io.millrace.store.region.Regions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Queries of the open regions of a store. Thread-safe. */
public interface RegionQueries extends Regions {

    /** The default timeout of queries. */
    Duration TIMEOUT = Duration.ofSeconds(60);

    /** The length of a part of an answer, in bytes. */
    int PART_BYTES = 4 << 20;

    /**
     * Returns the record of a key. Of several records in blocks with the same key, this is the one stored last; if
     * several pipelines or partitions stored some, that of the one with the largest
     * {@linkplain io.millrace.store.region.BlockKey block keys}.
     *
     * @param key as text, in the format of text files for the key's field; of several fields the text that is the
     *     {@linkplain io.millrace.store.region.EntryKey key}
     * @return the record's {@linkplain io.millrace.store.region.StoredForm stored form}, which must not be changed, or
     *     null if there is none
     * @throws io.millrace.codec.FieldValueException if the text is not a value of the key's field
     * @throws IllegalArgumentException if the number of its parts is not the number of the key's fields
     * @throws io.millrace.store.error.StoreException if the region's blocks have no key, or one is corrupt
     */
    byte @Nullable [] get(String region, String key);

    /**
     * Returns the record of a key, decoded with its virtual fields; otherwise as {@link #get}.
     *
     * @throws io.millrace.expression.error.ExpressionException if a virtual field can't be computed
     */
    @Nullable
    Map<String, @Nullable Object> record(String region, String key);

    /**
     * Returns the record of a key, read by the given reader; otherwise as {@link #get}.
     *
     * @param select names of stored and of virtual fields; empty for all stored fields
     * @param reading receives the decoder of these, and returns a reader of records
     * @throws io.millrace.expression.error.ExpressionException if a virtual field can't be computed
     * @throws NoResultException if one has no result
     */
    <T> Optional<T> record(
            String region, String key, List<String> select, Function<StoredRecords, StoredRecordReader<T>> reading);

    /**
     * Answers a query from the data of the region during the query; blocks not yet stored are not part of it. No data
     * is scanned before the first call for a row.
     *
     * @param timeout maximum time for fetching rows, without the time between calls
     * @return rows by field name, values of each field's Java type
     * @throws io.millrace.expression.error.ExpressionException if an expression is invalid
     * @throws IllegalArgumentException if a selected field is not stored
     * @throws io.millrace.store.error.StoreException if the region is not open
     */
    Answer<Map<String, @Nullable Object>> find(String region, Query query, Duration timeout);

    /**
     * Answers a query, as {@link #find}, with rows read by the given reader.
     *
     * @param reading receives the decoder of the records that the query selects, and returns a reader of them
     */
    default <T> Answer<T> find(
            String region, Query query, Duration timeout, Function<StoredRecords, StoredRecordReader<T>> reading) {
        return find(region, query, timeout, reading, PART_BYTES);
    }

    /**
     * Answers a query, as {@link #find}, for a caller that reads very many records: larger parts take fewer requests.
     *
     * @param partBytes length of the records that a server collects for one part of the answer, at least; the process
     *     that asks has one part of each server in memory
     */
    <T> Answer<T> find(
            String region,
            Query query,
            Duration timeout,
            Function<StoredRecords, StoredRecordReader<T>> reading,
            int partBytes);

    /**
     * Answers an aggregate query, as {@link #find} answers one for records.
     *
     * @return groups by the texts of the query: their keys, then their aggregates
     * @throws io.millrace.expression.error.ExpressionException if an expression is invalid
     * @throws IllegalArgumentException if an aggregate is invalid
     * @throws io.millrace.store.error.StoreException if the region is not open
     */
    Answer<Map<String, @Nullable Object>> aggregates(String region, AggregateQuery query, Duration timeout);

    /** Returns all results of {@link #find}, within the {@linkplain #TIMEOUT default timeout}. */
    default QueryResult query(String region, Query query) {
        try (Answer<Map<String, @Nullable Object>> answer = find(region, query, TIMEOUT)) {
            return new QueryResult(answer.stream().toList(), answer.counts(), answer.nanos());
        }
    }

    /** Returns all {@link #aggregates}, within the {@linkplain #TIMEOUT default timeout}. */
    default AggregateResult aggregate(String region, AggregateQuery query) {
        try (Answer<Map<String, @Nullable Object>> answer = aggregates(region, query, TIMEOUT)) {
            return new AggregateResult(answer.stream().toList(), answer.counts(), answer.nanos());
        }
    }
}
