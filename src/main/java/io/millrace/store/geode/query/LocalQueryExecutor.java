package io.millrace.store.geode.query;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Query;
import io.millrace.store.scan.AggregatePart;
import io.millrace.store.scan.AggregateScan;
import io.millrace.store.scan.QueryPart;
import io.millrace.store.scan.QueryScan;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queries regions whose data is entirely in this process: on the calling thread, with one compilation. Thread-safe. */
public final class LocalQueryExecutor extends QueryExecutor {

    /** @param functions that expressions may call */
    public LocalQueryExecutor(FunctionRegistry functions) {
        super(new Scans(functions));
    }

    @Override
    <A extends Serializable> List<A> execute(OpenRegion region, RegionQuery<A> query) {
        return List.of(query.answer(RegionReader.whole(region), scans()));
    }

    @Override
    public byte @Nullable [] entry(OpenRegion region, Object key) {
        return region.all().get(key);
    }

    @Override
    List<PartialScan<QueryPart>> find(
            OpenRegion region, QueryScan scan, Query query, BucketCursors cursors, ScanBudget budget) {
        return List.of(RegionReader.whole(region).find(scan, query.limit(), cursors, budget));
    }

    @Override
    List<PartialScan<AggregatePart>> aggregates(
            OpenRegion region, AggregateScan scan, AggregateQuery query, BucketCursors cursors, ScanBudget budget) {
        return List.of(RegionReader.whole(region).aggregates(scan, cursors, budget));
    }
}
