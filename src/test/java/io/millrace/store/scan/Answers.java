package io.millrace.store.scan;

import io.millrace.store.Store;
import io.millrace.store.query.AggregateResult;
import io.millrace.store.query.Answer;
import io.millrace.store.query.PartSource;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Answers out of parts that were found before. */
public final class Answers {

    private Answers() {}

    /** Parts that come one by one. */
    public static <P> PartSource<P> parts(List<P> parts) {
        Iterator<P> iterator = parts.iterator();
        return new PartSource<>() {
            @Override
            public List<P> next(long limit, long nanos) {
                return List.of(iterator.next());
            }

            @Override
            public boolean ended() {
                return !iterator.hasNext();
            }
        };
    }

    /** The answer to a query for accumulators. */
    public static AggregateResult of(AggregateScan scan, List<AggregatePart> parts) {
        try (AggregateAnswer answer =
                new AggregateAnswer("r", scan, parts(parts), Store.TIMEOUT, System.nanoTime(), _ -> {})) {
            return new AggregateResult(answer.stream().toList(), answer.counts(), answer.nanos());
        }
    }

    /** The answer to a query. */
    public static QueryResult of(QueryScan scan, Query query, QueryPart part) {
        try (Answer<Map<String, Object>> answer = new QueryAnswer<>(
                "r",
                query,
                scan,
                parts(List.of(part)),
                scan.decoder()::decode,
                Store.TIMEOUT,
                System.nanoTime(),
                _ -> {})) {
            return new QueryResult(List.copyOf(answer.stream().toList()), answer.counts(), answer.nanos());
        }
    }
}
