package io.millrace.store.geode;

import io.millrace.store.AggregateQuery;
import io.millrace.store.Query;
import java.io.Serializable;

/** What a region is asked; each member answers for the data that it has. Sent to members as Java writes objects. */
sealed interface Question extends Serializable {

    /** Which records meet a condition; answered with a {@link io.millrace.store.QueryPart}. */
    record Find(Query query) implements Question {}

    /** Figures of groups; answered with an {@link io.millrace.store.AggregatePart}. */
    record Aggregate(AggregateQuery query) implements Question {}

    /** The last record of a key in blocks; answered with a {@link FoundRecord}. */
    record Last(String key) implements Question {}

    /** How much there is; answered with {@link io.millrace.store.RegionTotals}. */
    record HowMuch() implements Question {}
}
