package io.millrace.store.geode;

import io.millrace.store.AggregateAnswer;
import io.millrace.store.AggregatePart;
import io.millrace.store.AggregateQuery;
import io.millrace.store.AggregateScan;
import io.millrace.store.Answer;
import io.millrace.store.Query;
import io.millrace.store.QueryAnswer;
import io.millrace.store.QueryPart;
import io.millrace.store.QueryScan;
import io.millrace.store.RecordReader;
import io.millrace.store.RegionDefinition;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.StoredRecords;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks a store's regions. A query is compiled here first, so that its mistakes are reported whether anybody has data or
 * not. Thread-safe.
 */
abstract class QueryExecutor {

    private final Scans scans;
    private final ScanBudget slice;

    QueryExecutor(Scans scans, ScanBudget slice) {
        this.scans = scans;
        this.slice = slice;
    }

    /** Compiled queries. */
    final Scans scans() {
        return scans;
    }

    /** Asks all that have data something that is answered at once. */
    abstract <A extends Serializable> List<A> execute(OpenRegion region, RegionQuery<A> query);

    /**
     * The same, and again for the buckets that nobody could answer for, until each was answered for once.
     *
     * @param query by what was answered already
     * @throws StoreException where that takes longer than {@link Store#TIMEOUT}
     */
    final <A extends Serializable> List<A> executeAll(
            OpenRegion region, Function<BucketCursors, RegionQuery<PartialScan<A>>> query) {
        return executeAll(region.definition().name(), (_, from, _) -> execute(region, query.apply(from)));
    }

    /** As {@link #executeAll(OpenRegion, Function)}. */
    static <A extends Serializable> List<A> executeAll(String region, PartialScans.Asking<A> asking) {
        PartialScans<A> stretches = new PartialScans<>(ScanBudget.USUAL, asking);
        List<A> answers = new ArrayList<>();
        long end = System.nanoTime() + Store.TIMEOUT.toNanos();
        while (!stretches.ended()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new StoreException("Region '" + region + "' could not be read within " + Store.TIMEOUT
                        + ": its buckets kept moving between servers.");
            }
            answers.addAll(stretches.next(Query.UNLIMITED, left));
        }
        return answers;
    }

    /**
     * Looks for records.
     *
     * @param scan of the query, which nothing else runs meanwhile
     */
    abstract List<PartialScan<QueryPart>> find(
            OpenRegion region, QueryScan scan, Query query, BucketCursors from, ScanBudget most);

    /**
     * Looks for figures.
     *
     * @param scan of the query, which nothing else runs meanwhile
     */
    abstract List<PartialScan<AggregatePart>> figures(
            OpenRegion region, AggregateScan scan, AggregateQuery query, BucketCursors from, ScanBudget most);

    /** As {@link io.millrace.store.Store#find(String, Query, Duration, Function)}. */
    final <T> Answer<T> find(
            OpenRegion region, Query query, Duration timeout, Function<StoredRecords, RecordReader<T>> reading) {
        long start = System.nanoTime();
        QueryScan scan = scans.take(region.definition(), query);
        PartialScans<QueryPart> source = new PartialScans<>(
                slice, (limit, from, most) -> find(region, scan, query.withLimit(limit), from, most));
        RegionDefinition definition = region.definition();
        return new QueryAnswer<>(
                definition.name(),
                query,
                scan,
                source,
                reading.apply(scan.decoder()),
                timeout,
                start,
                idle -> scans.giveBack(definition, query, idle));
    }

    /** As {@link io.millrace.store.Store#figures}. */
    final Answer<Map<String, @Nullable Object>> figures(OpenRegion region, AggregateQuery query, Duration timeout) {
        long start = System.nanoTime();
        RegionDefinition definition = region.definition();
        AggregateScan scan = scans.take(definition, query);
        PartialScans<AggregatePart> source =
                new PartialScans<>(slice, (limit, from, most) -> figures(region, scan, query, from, most));
        return new AggregateAnswer(
                definition.name(), scan, source, timeout, start, idle -> scans.giveBack(definition, query, idle));
    }
}
