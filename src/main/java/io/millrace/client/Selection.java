package io.millrace.client;

import io.millrace.store.Answer;
import io.millrace.store.Query;
import io.millrace.store.RecordReader;
import io.millrace.store.Store;
import io.millrace.store.StoredRecords;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which records of a region are wanted, and in what order. Immutable; thread-safe. */
public final class Selection<T> {

    private final Store store;
    private final String region;
    private final Asked asked;
    private final Function<StoredRecords, RecordReader<T>> reading;

    private record Asked(
            @Nullable String where, List<String> select, List<String> orderBy, long limit, Duration timeout) {}

    /** All records. */
    Selection(Store store, String region, List<String> select, Function<StoredRecords, RecordReader<T>> reading) {
        this(store, region, new Asked(null, select, List.of(), Query.UNLIMITED, Store.TIMEOUT), reading);
    }

    private Selection(Store store, String region, Asked asked, Function<StoredRecords, RecordReader<T>> reading) {
        this.store = store;
        this.region = region;
        this.asked = asked;
        this.reading = reading;
    }

    private Selection<T> with(@Nullable String where, List<String> orderBy, long limit, Duration timeout) {
        return new Selection<>(store, region, new Asked(where, asked.select, orderBy, limit, timeout), reading);
    }

    /** Those for which a condition, in the language of the rules, holds. */
    public Selection<T> where(String condition) {
        return with(condition, asked.orderBy, asked.limit, asked.timeout);
    }

    /**
     * In an order. There has to be a limit then: so many are held in memory until all records were looked at.
     *
     * @param expressions most important first, each ascending unless it ends in {@code desc}
     */
    public Selection<T> orderBy(String... expressions) {
        return with(asked.where, List.of(expressions), asked.limit, asked.timeout);
    }

    /** So many at most; with an order up to {@value Query#MAX_LIMIT}. */
    public Selection<T> limit(long limit) {
        return with(asked.where, asked.orderBy, limit, asked.timeout);
    }

    /** Looked for no longer than this; while nobody asks for records, no time passes. */
    public Selection<T> timeout(Duration longest) {
        return with(asked.where, asked.orderBy, asked.limit, longest);
    }

    /**
     * Asks for the records; they are looked for as they are taken.
     *
     * @throws IllegalArgumentException where the limit is missing, or too high
     */
    public Answer<T> fetch() {
        Query query = new Query(asked.where, asked.select, asked.orderBy, asked.limit);
        return store.find(region, query, asked.timeout, reading);
    }

    /**
     * As {@link #fetch}, as a stream. It may be left at any time: while no records are taken, nothing is held anywhere.
     */
    public Stream<T> stream() {
        return fetch().stream();
    }

    /** All of them, in memory. */
    public List<T> list() {
        return stream().toList();
    }

    /** The first of them. */
    public Optional<T> first() {
        return Optional.ofNullable(limit(1).fetch().next());
    }
}
