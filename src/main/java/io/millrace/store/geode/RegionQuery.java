package io.millrace.store.geode;

import io.millrace.store.AggregatePart;
import io.millrace.store.AggregateQuery;
import io.millrace.store.AggregateScan;
import io.millrace.store.Query;
import io.millrace.store.QueryPart;
import io.millrace.store.QueryScan;
import io.millrace.store.RegionDefinition;
import io.millrace.store.RegionTotals;
import java.io.Serializable;

/**
 * What a region is asked; each member answers for the data that it has. Sent to members as Java writes objects.
 *
 * @param <A> the answer
 */
sealed interface RegionQuery<A extends Serializable> extends Serializable {

    /**
     * Answers it.
     *
     * @param reader of the data
     * @param scans compiled queries
     */
    A answer(RegionReader reader, Scans scans);

    /** Which records meet a condition. */
    record Find(Query query, BucketCursors from, ScanBudget most) implements RegionQuery<PartialScan<QueryPart>> {

        @Override
        public PartialScan<QueryPart> answer(RegionReader reader, Scans scans) {
            QueryScan scan = scans.take(reader.definition(), query);
            PartialScan<QueryPart> found = reader.find(scan, query.limit(), from, most);
            scans.giveBack(reader.definition(), query, scan);
            return found;
        }
    }

    /** Figures of groups. */
    record Aggregate(AggregateQuery query, BucketCursors from, ScanBudget most)
            implements RegionQuery<PartialScan<AggregatePart>> {

        @Override
        public PartialScan<AggregatePart> answer(RegionReader reader, Scans scans) {
            AggregateScan scan = scans.take(reader.definition(), query);
            PartialScan<AggregatePart> found = reader.figures(scan, from, most);
            scans.giveBack(reader.definition(), query, scan);
            return found;
        }
    }

    /** The last record of a key in blocks. */
    record Last(String key, BucketCursors from) implements RegionQuery<PartialScan<FoundRecord>> {

        @Override
        public PartialScan<FoundRecord> answer(RegionReader reader, Scans scans) {
            return reader.last(key, from);
        }
    }

    /** How much there is. */
    record HowMuch(BucketCursors from) implements RegionQuery<PartialScan<RegionTotals>> {

        @Override
        public PartialScan<RegionTotals> answer(RegionReader reader, Scans scans) {
            return reader.totals(from);
        }
    }

    /** What the region is. */
    record What() implements RegionQuery<PartialScan<RegionDefinition>> {

        @Override
        public PartialScan<RegionDefinition> answer(RegionReader reader, Scans scans) {
            return reader.described();
        }
    }
}
