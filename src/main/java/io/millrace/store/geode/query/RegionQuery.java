package io.millrace.store.geode.query;

import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Migration;
import io.millrace.store.query.Query;
import io.millrace.store.query.RegionQueries;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionTotals;
import io.millrace.store.region.StoredForms;
import io.millrace.store.scan.AggregatePart;
import io.millrace.store.scan.AggregateScan;
import io.millrace.store.scan.QueryPart;
import io.millrace.store.scan.QueryScan;
import java.io.Serializable;

/**
 * A query to a region, which each member answers for its own data. Sent to members by Java serialization. If it reads
 * records, it has the fingerprint of the schema that it was compiled for, and members answer it only with that version.
 *
 * @param <A> type of the answer
 */
public sealed interface RegionQuery<A extends Serializable> extends Serializable {

    /** Memory for a record or group in addition to its bytes. */
    int OVERHEAD_BYTES = 128;

    /** Of records of varying length. */
    int LONG_RECORD_BYTES = 512;

    /**
     * Returns the answer.
     *
     * @param reader of the data
     * @param scans compiled queries
     */
    A answer(RegionReader reader, Scans scans);

    /**
     * Returns the memory in bytes that the answer may need.
     *
     * @param region that is queried
     */
    default long memory(RegionDefinition region) {
        return RegionQueries.PART_BYTES;
    }

    private static long recordBytes(RegionDefinition region) {
        return StoredForms.of(region.schema()).length().orElse(LONG_RECORD_BYTES) + (long) OVERHEAD_BYTES;
    }

    /** Finds the records that meet a condition. */
    record Find(long schema, Query query, BucketCursors from, ScanBudget most)
            implements RegionQuery<PartialScan<QueryPart>> {

        @Override
        public long memory(RegionDefinition region) {
            return query.orderBy().isEmpty() ? most.bytes() : query.limit() * recordBytes(region);
        }

        @Override
        public PartialScan<QueryPart> answer(RegionReader reader, Scans scans) {
            reader.requireSchema(schema);
            QueryScan scan = scans.take(reader.definition(), query);
            PartialScan<QueryPart> found = reader.find(scan, query.limit(), from, most);
            scans.release(reader.definition(), query, scan);
            return found;
        }
    }

    /** Computes aggregates of groups. */
    record Aggregate(long schema, AggregateQuery query, BucketCursors from, ScanBudget most)
            implements RegionQuery<PartialScan<AggregatePart>> {

        @Override
        public long memory(RegionDefinition region) {
            return query.by().isEmpty() ? RegionQueries.PART_BYTES : query.limit() * (long) OVERHEAD_BYTES;
        }

        @Override
        public PartialScan<AggregatePart> answer(RegionReader reader, Scans scans) {
            reader.requireSchema(schema);
            AggregateScan scan = scans.take(reader.definition(), query);
            PartialScan<AggregatePart> found = reader.aggregates(scan, from, most);
            scans.release(reader.definition(), query, scan);
            return found;
        }
    }

    /** Finds the value of an entry; sent to the member that has its bucket. */
    record Entry(Object key) implements RegionQuery<PartialScan<FoundRecord>> {

        @Override
        public PartialScan<FoundRecord> answer(RegionReader reader, Scans scans) {
            return reader.entry(key);
        }
    }

    /** Finds the last record of a key in blocks. */
    record Last(long schema, String key, BucketCursors from) implements RegionQuery<PartialScan<FoundRecord>> {

        @Override
        public PartialScan<FoundRecord> answer(RegionReader reader, Scans scans) {
            reader.requireSchema(schema);
            return reader.last(key, from);
        }
    }

    /** Rewrites values of earlier versions of the schema. */
    record Migrate(BucketCursors from, ScanBudget most) implements RegionQuery<PartialScan<Migration>> {

        @Override
        public PartialScan<Migration> answer(RegionReader reader, Scans scans) {
            return reader.migrate(from, most);
        }
    }

    /** Counts entries, records and bytes. */
    record Totals(BucketCursors from) implements RegionQuery<PartialScan<RegionTotals>> {

        @Override
        public PartialScan<RegionTotals> answer(RegionReader reader, Scans scans) {
            return reader.totals(from);
        }
    }

    /** Returns the definition of the region. */
    record Definition() implements RegionQuery<PartialScan<RegionDefinition>> {

        @Override
        public PartialScan<RegionDefinition> answer(RegionReader reader, Scans scans) {
            return reader.described();
        }
    }
}
