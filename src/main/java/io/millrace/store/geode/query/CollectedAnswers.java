package io.millrace.store.geode.query;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.geode.cache.execute.ResultCollector;
import org.apache.geode.distributed.DistributedMember;

/**
 * Collects the answers of members to one query, as far as they have arrived: Geode's own collector returns none if one
 * member fails. Thread-safe.
 */
final class CollectedAnswers<A> implements ResultCollector<A, List<A>> {

    private final List<A> answers = new ArrayList<>();

    @Override
    public synchronized void addResult(DistributedMember member, A answer) {
        if (!(answer instanceof Throwable)) { // failures are thrown to the caller that waits for the result
            answers.add(answer);
        }
    }

    @Override
    public synchronized List<A> getResult() {
        return List.copyOf(answers);
    }

    @Override
    public List<A> getResult(long timeout, TimeUnit unit) {
        return getResult();
    }

    @Override
    public void endResults() {}

    /** Does nothing, so that the answers remain: each is valid on its own. */
    @Override
    public void clearResults() {}
}
