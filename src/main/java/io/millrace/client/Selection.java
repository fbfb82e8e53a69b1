package io.millrace.client;

import io.millrace.store.query.Answer;
import io.millrace.store.query.OnError;
import io.millrace.store.query.Query;
import io.millrace.store.query.RegionQueries;
import io.millrace.store.query.StoredRecordReader;
import io.millrace.store.query.StoredRecords;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A query for records of a region, with an optional order. Immutable; thread-safe. */
@API(status = API.Status.STABLE)
public final class Selection<T> {

    private final RegionQueries store;
    private final String region;
    private final Options options;
    private final Function<StoredRecords, StoredRecordReader<T>> reading;

    private record Options(
            @Nullable String where,
            List<String> select,
            List<String> orderBy,
            long limit,
            Duration timeout,
            OnError onError) {}

    /** Creates a query for all records. */
    Selection(
            RegionQueries store,
            String region,
            List<String> select,
            Function<StoredRecords, StoredRecordReader<T>> reading) {
        this(
                store,
                region,
                new Options(null, select, List.of(), Query.UNLIMITED, RegionQueries.TIMEOUT, OnError.FAIL),
                reading);
    }

    private Selection(
            RegionQueries store,
            String region,
            Options options,
            Function<StoredRecords, StoredRecordReader<T>> reading) {
        this.store = store;
        this.region = region;
        this.options = options;
        this.reading = reading;
    }

    private Selection<T> with(@Nullable String where, List<String> orderBy, long limit, Duration timeout) {
        return with(new Options(where, options.select, orderBy, limit, timeout, options.onError));
    }

    private Selection<T> with(Options changed) {
        return new Selection<>(store, region, changed, reading);
    }

    /** Returns this query with a condition, in the language of the rules. */
    public Selection<T> where(String condition) {
        return with(condition, options.orderBy, options.limit, options.timeout);
    }

    /**
     * Returns this query with an order, which requires a limit: that many records are in memory until all records were
     * scanned.
     *
     * @param expressions most important first, each ascending unless it ends in {@code desc}
     */
    public Selection<T> orderBy(String... expressions) {
        return with(options.where, List.of(expressions), options.limit, options.timeout);
    }

    /** Returns this query with a maximum number of records; with an order, up to {@value Query#MAX_LIMIT}. */
    public Selection<T> limit(long limit) {
        return with(options.where, options.orderBy, limit, options.timeout);
    }

    /** Returns this query with a timeout for fetching records; time between calls does not count. */
    public Selection<T> timeout(Duration longest) {
        return with(options.where, options.orderBy, options.limit, longest);
    }

    /**
     * Returns this query with another way to treat records for which an expression has no result; by default it fails.
     */
    public Selection<T> onError(OnError reaction) {
        return with(
                new Options(options.where, options.select, options.orderBy, options.limit, options.timeout, reaction));
    }

    /**
     * Runs the query; records are fetched on demand.
     *
     * @throws IllegalArgumentException if the limit is missing, or too high
     */
    public Answer<T> fetch() {
        Query query = new Query(options.where, options.select, options.orderBy, options.limit, options.onError);
        return store.find(region, query, options.timeout, reading);
    }

    /**
     * Runs the query as {@link #fetch}, and returns a stream. The stream need not be read to its end: while no records
     * are taken, no member holds resources for it.
     */
    public Stream<T> stream() {
        return fetch().stream();
    }

    /** Returns all records, in memory. */
    public List<T> list() {
        return stream().toList();
    }

    /** Returns the first record. */
    public Optional<T> first() {
        return Optional.ofNullable(limit(1).fetch().next());
    }
}
