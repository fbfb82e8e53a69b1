package io.millrace.store.geode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.geode.cache.execute.ResultCollector;
import org.apache.geode.distributed.DistributedMember;

/**
 * The answers of members to one query, as far as they have arrived: Geode's own collector gives none where one member
 * fails. Thread-safe.
 */
final class CollectedAnswers<A> implements ResultCollector<A, List<A>> {

    private final List<A> answers = new ArrayList<>();

    @Override
    public synchronized void addResult(DistributedMember member, A answer) {
        if (!(answer instanceof Throwable)) { // what failed is thrown to whoever waits for the result
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

    /** Keeps them: each is good by itself. */
    @Override
    public void clearResults() {}
}
