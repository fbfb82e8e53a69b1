package io.millrace.store.geode.query;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Query;
import io.millrace.store.scan.AggregatePart;
import io.millrace.store.scan.AggregateScan;
import io.millrace.store.scan.QueryPart;
import io.millrace.store.scan.QueryScan;
import java.io.Serializable;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Queries regions of a cluster with {@link QueryFunction}. Thread-safe. */
public final class ClusterQueryExecutor extends QueryExecutor {

    /** @param functions that expressions may call */
    public ClusterQueryExecutor(FunctionRegistry functions) {
        super(new Scans(functions));
    }

    @Override
    <A extends Serializable> List<A> execute(OpenRegion region, RegionQuery<A> query) {
        return execute(region, query, Set.of());
    }

    /** @param keys whose buckets are queried, empty for all */
    private static <A extends Serializable> List<A> execute(OpenRegion region, RegionQuery<A> query, Set<Object> keys) {
        try {
            return QueryFunction.execute(region.region(), query, keys);
        } catch (StoreException e) {
            region.renew(); // the next query may need another version
            throw e;
        }
    }

    @Override
    public byte @Nullable [] entry(OpenRegion region, Object key) {
        RegionQuery.Entry query = new RegionQuery.Entry(key);
        return executeAll(region.definition().name(), (_, _, _) -> execute(region, query, Set.of(key)))
                .getFirst()
                .record();
    }

    @Override
    public List<PartialScan<QueryPart>> find(
            OpenRegion region, QueryScan scan, Query query, BucketCursors cursors, ScanBudget budget) {
        return execute(region, new RegionQuery.Find(scan.fingerprint(), query, cursors, budget));
    }

    @Override
    public List<PartialScan<AggregatePart>> aggregates(
            OpenRegion region, AggregateScan scan, AggregateQuery query, BucketCursors cursors, ScanBudget budget) {
        return execute(region, new RegionQuery.Aggregate(scan.fingerprint(), query, cursors, budget));
    }
}
