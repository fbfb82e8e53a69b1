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

/** Asks regions of a cluster, by {@link QuestionFunction}. Thread-safe. */
final class ClusterQuestions extends Questions {

    /** @param functions that expressions may call */
    ClusterQuestions(FunctionRegistry functions) {
        super(new Scans(functions), Slice.USUAL);
    }

    @Override
    <A extends Serializable> List<A> ask(OpenRegion region, Question<A> question) {
        return QuestionFunction.ask(region.region(), question);
    }

    @Override
    List<Stretch<QueryPart>> find(OpenRegion region, QueryScan scan, Query query, Places from, Slice most) {
        return ask(region, new Question.Find(query, from, most));
    }

    @Override
    List<Stretch<AggregatePart>> figures(
            OpenRegion region, AggregateScan scan, AggregateQuery query, Places from, Slice most) {
        return ask(region, new Question.Aggregate(query, from, most));
    }
}
