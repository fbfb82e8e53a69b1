package io.millrace.store.geode.query;

import io.millrace.store.error.StoreException;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Answer;
import io.millrace.store.query.Migration;
import io.millrace.store.query.Query;
import io.millrace.store.query.RegionQueries;
import io.millrace.store.query.StoredRecordReader;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.scan.AggregateAnswer;
import io.millrace.store.scan.AggregatePart;
import io.millrace.store.scan.AggregateScan;
import io.millrace.store.scan.QueryAnswer;
import io.millrace.store.scan.QueryPart;
import io.millrace.store.scan.QueryScan;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Queries a store's regions. A query is first compiled here, so that its errors are reported whether or not there is
 * data. Thread-safe.
 */
public abstract class QueryExecutor {

    private final Scans scans;
    /** Migrations that are not done, by region. */
    private final Map<String, PartialScans<Migration>> migrations = new ConcurrentHashMap<>();

    QueryExecutor(Scans scans) {
        this.scans = scans;
    }

    /** Returns the compiled queries. */
    final Scans scans() {
        return scans;
    }

    /** Queries all members that have data with a query that each answers in one step. */
    abstract <A extends Serializable> List<A> execute(OpenRegion region, RegionQuery<A> query);

    /**
     * Returns the value of an entry, null if there is none: that of the primary copy. Others may have a value already
     * that this one does not have yet, or still an older one, so two reads might see them in the wrong order.
     *
     * @throws StoreException if the region can't be read
     */
    public abstract byte @Nullable [] entry(OpenRegion region, Object key);

    /**
     * Queries all members that have data, and repeats the query for buckets without an answer, until each has exactly
     * one.
     *
     * @param query returns the query for the buckets already answered
     * @throws StoreException if that takes longer than {@link RegionQueries#TIMEOUT}
     */
    public final <A extends Serializable> List<A> executeAll(
            OpenRegion region, Function<BucketCursors, RegionQuery<PartialScan<A>>> query) {
        return executeAll(region.definition().name(), (_, cursors, _) -> execute(region, query.apply(cursors)));
    }

    /** As {@link #executeAll(OpenRegion, Function)}. */
    public static <A extends Serializable> List<A> executeAll(String region, PartialScans.PartQuery<A> asking) {
        PartialScans<A> partialScans = new PartialScans<>(ScanBudget.USUAL, asking);
        List<A> answers = new ArrayList<>();
        long deadlineNanos = System.nanoTime() + RegionQueries.TIMEOUT.toNanos();
        while (!partialScans.ended()) {
            long leftNanos = deadlineNanos - System.nanoTime();
            if (leftNanos <= 0) {
                throw new StoreException("Region '" + region + "' could not be read within " + RegionQueries.TIMEOUT
                        + ": its buckets kept moving between servers.");
            }
            answers.addAll(partialScans.next(Query.UNLIMITED, leftNanos));
        }
        return answers;
    }

    /** As {@link io.millrace.store.query.RegionMigrations#migrate}. */
    public final Migration migrate(OpenRegion region, Duration budget) {
        String name = region.definition().name();
        PartialScans<Migration> partialScans = migrations.remove(name);
        if (partialScans == null) {
            partialScans = new PartialScans<>(
                    ScanBudget.USUAL,
                    (_, cursors, scanBudget) -> execute(region, new RegionQuery.Migrate(cursors, scanBudget)));
        }
        List<Migration> parts = new ArrayList<>();
        long deadlineNanos = System.nanoTime() + budget.toNanos();
        while (!partialScans.ended() && System.nanoTime() - deadlineNanos < 0) {
            parts.addAll(partialScans.next(Query.UNLIMITED, RegionQueries.TIMEOUT.toNanos()));
        }
        if (!partialScans.ended()) {
            migrations.put(name, partialScans);
        }
        return Migration.sum(parts, partialScans.ended());
    }

    /**
     * Finds records in a partial scan.
     *
     * @param scan of the query, not used by other threads meanwhile
     */
    abstract List<PartialScan<QueryPart>> find(
            OpenRegion region, QueryScan scan, Query query, BucketCursors cursors, ScanBudget budget);

    /**
     * Computes aggregates in a partial scan.
     *
     * @param scan of the query, not used by other threads meanwhile
     */
    abstract List<PartialScan<AggregatePart>> aggregates(
            OpenRegion region, AggregateScan scan, AggregateQuery query, BucketCursors cursors, ScanBudget budget);

    /** As {@link RegionQueries#find(String, Query, Duration, Function, int)}. */
    public final <T> Answer<T> find(
            OpenRegion region,
            Query query,
            Duration timeout,
            Function<StoredRecords, StoredRecordReader<T>> reading,
            int partBytes) {
        long start = System.nanoTime();
        RegionDefinition definition = region.definition();
        QueryScan scan = scans.take(definition, query);
        PartialScans<QueryPart> source = new PartialScans<>(
                ScanBudget.USUAL.withBytes(partBytes),
                (limit, cursors, budget) -> find(region, scan, query.withLimit(limit), cursors, budget));
        return new QueryAnswer<>(
                definition.name(),
                query,
                scan,
                source,
                reading.apply(scan.decoder()),
                timeout,
                start,
                idle -> scans.release(definition, query, idle));
    }

    /** As {@link RegionQueries#aggregates}. */
    public final Answer<Map<String, @Nullable Object>> aggregates(
            OpenRegion region, AggregateQuery query, Duration timeout) {
        long start = System.nanoTime();
        RegionDefinition definition = region.definition();
        AggregateScan scan = scans.take(definition, query);
        PartialScans<AggregatePart> source = new PartialScans<>(
                ScanBudget.USUAL, (limit, cursors, budget) -> aggregates(region, scan, query, cursors, budget));
        return new AggregateAnswer(
                definition.name(), scan, source, timeout, start, idle -> scans.release(definition, query, idle));
    }
}
