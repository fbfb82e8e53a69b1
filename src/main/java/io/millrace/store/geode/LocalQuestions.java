package io.millrace.store.geode;

import io.millrace.expression.FunctionRegistry;
import io.millrace.store.AggregatePart;
import io.millrace.store.AggregateQuery;
import io.millrace.store.AggregateScan;
import io.millrace.store.Query;
import io.millrace.store.QueryPart;
import io.millrace.store.QueryScan;
import java.io.Serializable;
import java.util.List;

/** Asks regions that are in this process alone: in the thread of whoever asks, and compiled once. Thread-safe. */
final class LocalQuestions extends Questions {

    /** @param functions that expressions may call */
    LocalQuestions(FunctionRegistry functions) {
        super(new Scans(functions), Slice.USUAL);
    }

    @Override
    <A extends Serializable> List<A> ask(OpenRegion region, Question<A> question) {
        return List.of(question.answer(RegionReader.whole(region), scans()));
    }

    @Override
    List<Stretch<QueryPart>> find(OpenRegion region, QueryScan scan, Query query, Places from, Slice most) {
        return List.of(RegionReader.whole(region).find(scan, query.limit(), from, most));
    }

    @Override
    List<Stretch<AggregatePart>> figures(
            OpenRegion region, AggregateScan scan, AggregateQuery query, Places from, Slice most) {
        return List.of(RegionReader.whole(region).figures(scan, from, most));
    }
}
