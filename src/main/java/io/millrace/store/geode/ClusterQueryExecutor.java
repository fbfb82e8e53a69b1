package io.millrace.store.geode;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.AggregatePart;
import io.millrace.store.AggregateQuery;
import io.millrace.store.AggregateScan;
import io.millrace.store.Query;
import io.millrace.store.QueryPart;
import io.millrace.store.QueryScan;
import java.io.Serializable;
import java.util.List;

/** Queries regions of a cluster with {@link QueryFunction}. Thread-safe. */
final class ClusterQueryExecutor extends QueryExecutor {

    /** @param functions that expressions may call */
    ClusterQueryExecutor(FunctionRegistry functions) {
        super(new Scans(functions), ScanBudget.USUAL);
    }

    @Override
    <A extends Serializable> List<A> execute(OpenRegion region, RegionQuery<A> query) {
        return QueryFunction.execute(region.region(), query);
    }

    @Override
    List<PartialScan<QueryPart>> find(
            OpenRegion region, QueryScan scan, Query query, BucketCursors cursors, ScanBudget budget) {
        return execute(region, new RegionQuery.Find(query, cursors, budget));
    }

    @Override
    List<PartialScan<AggregatePart>> figures(
            OpenRegion region, AggregateScan scan, AggregateQuery query, BucketCursors cursors, ScanBudget budget) {
        return execute(region, new RegionQuery.Aggregate(query, cursors, budget));
    }
}
