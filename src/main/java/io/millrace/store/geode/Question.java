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
sealed interface Question<A extends Serializable> extends Serializable {

    /**
     * Answers it.
     *
     * @param reader of the data
     * @param scans compiled questions
     */
    A answer(RegionReader reader, Scans scans);

    /** Which records meet a condition. */
    record Find(Query query, Places from, Slice most) implements Question<Stretch<QueryPart>> {

        @Override
        public Stretch<QueryPart> answer(RegionReader reader, Scans scans) {
            QueryScan scan = scans.take(reader.definition(), query);
            Stretch<QueryPart> found = reader.find(scan, query.limit(), from, most);
            scans.giveBack(reader.definition(), query, scan);
            return found;
        }
    }

    /** Figures of groups. */
    record Aggregate(AggregateQuery query, Places from, Slice most) implements Question<Stretch<AggregatePart>> {

        @Override
        public Stretch<AggregatePart> answer(RegionReader reader, Scans scans) {
            AggregateScan scan = scans.take(reader.definition(), query);
            Stretch<AggregatePart> found = reader.figures(scan, from, most);
            scans.giveBack(reader.definition(), query, scan);
            return found;
        }
    }

    /** The last record of a key in blocks. */
    record Last(String key, Places from) implements Question<Stretch<FoundRecord>> {

        @Override
        public Stretch<FoundRecord> answer(RegionReader reader, Scans scans) {
            return reader.last(key, from);
        }
    }

    /** How much there is. */
    record HowMuch(Places from) implements Question<Stretch<RegionTotals>> {

        @Override
        public Stretch<RegionTotals> answer(RegionReader reader, Scans scans) {
            return reader.totals(from);
        }
    }

    /** What the region is. */
    record What() implements Question<Stretch<RegionDefinition>> {

        @Override
        public Stretch<RegionDefinition> answer(RegionReader reader, Scans scans) {
            return reader.described();
        }
    }
}
