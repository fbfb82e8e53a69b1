package io.millrace.store.geode.query;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Query;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.scan.AggregateScan;
import io.millrace.store.scan.QueryScan;

/** Queries to a store's regions, compiled once for many runs. Thread-safe; the scans it returns are not. */
final class Scans {

    private final FunctionRegistry functions;
    private final IdleScans<QueryScan> queries = new IdleScans<>();
    private final IdleScans<AggregateScan> aggregates = new IdleScans<>();

    /** @param functions that expressions may call */
    Scans(FunctionRegistry functions) {
        this.functions = functions;
    }

    /**
     * Returns a compiled query, to be given back after a run.
     *
     * @throws io.millrace.expression.error.ExpressionException if an expression is invalid
     * @throws IllegalArgumentException if a selected field is not stored
     */
    QueryScan take(RegionDefinition region, Query query) {
        return queries.take(key(region, query), () -> QueryScan.of(region, query, functions));
    }

    void release(RegionDefinition region, Query query, QueryScan scan) {
        queries.release(key(region, query), scan);
    }

    /**
     * Returns a compiled aggregate query, to be given back after a run.
     *
     * @throws io.millrace.expression.error.ExpressionException if an expression is invalid
     * @throws IllegalArgumentException if an aggregate is invalid
     */
    AggregateScan take(RegionDefinition region, AggregateQuery query) {
        return aggregates.take(key(region, query), () -> AggregateScan.of(region, query, functions));
    }

    void release(RegionDefinition region, AggregateQuery query, AggregateScan scan) {
        aggregates.release(key(region, query), scan);
    }

    private static IdleScans.Key key(RegionDefinition region, Query query) {
        return key(region, (Record) query.withLimit(1));
    }

    private static IdleScans.Key key(RegionDefinition region, AggregateQuery query) {
        return key(region, (Record) query);
    }

    private static IdleScans.Key key(RegionDefinition region, Record query) {
        return new IdleScans.Key(
                region.name(), region.schema().fingerprint(), region.history().size(), query);
    }
}
