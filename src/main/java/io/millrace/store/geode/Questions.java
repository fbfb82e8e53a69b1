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
import io.millrace.store.StoredRecords;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks a store's regions. A question is compiled here first, so that what is wrong with it is told whether anybody has
 * data or not. Thread-safe.
 */
abstract class Questions {

    private final Scans scans;
    private final Slice slice;

    Questions(Scans scans, Slice slice) {
        this.scans = scans;
        this.slice = slice;
    }

    /** Compiled questions. */
    final Scans scans() {
        return scans;
    }

    /** Asks all that have data something that is answered at once. */
    abstract <A extends Serializable> List<A> ask(OpenRegion region, Question<A> question);

    /**
     * Looks for records.
     *
     * @param scan of the question, which nothing else runs meanwhile
     */
    abstract List<Stretch<QueryPart>> find(OpenRegion region, QueryScan scan, Query query, Places from, Slice most);

    /**
     * Looks for figures.
     *
     * @param scan of the question, which nothing else runs meanwhile
     */
    abstract List<Stretch<AggregatePart>> figures(
            OpenRegion region, AggregateScan scan, AggregateQuery query, Places from, Slice most);

    /** As {@link io.millrace.store.Store#find(String, Query, Duration, Function)}. */
    final <T> Answer<T> find(
            OpenRegion region, Query query, Duration timeout, Function<StoredRecords, RecordReader<T>> reading) {
        long start = System.nanoTime();
        QueryScan scan = scans.take(region.definition(), query);
        Stretches<QueryPart> source =
                new Stretches<>(slice, (limit, from, most) -> find(region, scan, query.withLimit(limit), from, most));
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
        Stretches<AggregatePart> source =
                new Stretches<>(slice, (limit, from, most) -> figures(region, scan, query, from, most));
        return new AggregateAnswer(
                definition.name(), scan, source, timeout, start, idle -> scans.giveBack(definition, query, idle));
    }
}
