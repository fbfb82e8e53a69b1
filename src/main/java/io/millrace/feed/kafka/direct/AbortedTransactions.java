package io.millrace.feed.kafka.direct;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.jspecify.annotations.Nullable;

/** The aborted transactions of a response, followed from batch to batch. Not thread-safe. */
final class AbortedTransactions {

    private final Set<Long> producers = new HashSet<>();
    private List<AbortedTransaction> transactions = List.of();
    private int next;

    /** @param listed those that have messages in the response, or end in it, in any order; null for none */
    void begin(@Nullable List<AbortedTransaction> listed) {
        transactions = listed == null
                ? List.of()
                : listed.stream()
                        .sorted(Comparator.comparingLong(AbortedTransaction::firstOffset))
                        .toList();
        next = 0;
        producers.clear();
    }

    /** Continues to the end of a batch. */
    void advance(long batchEnd) {
        while (next < transactions.size() && transactions.get(next).firstOffset() < batchEnd) {
            producers.add(transactions.get(next++).producerId());
        }
    }

    /** Returns whether the transactional messages of a producer belong to an aborted transaction here. */
    boolean contains(long producer) {
        return producers.contains(producer);
    }

    /** Ends the transaction of a producer, at its marker. */
    void end(long producer) {
        producers.remove(producer);
    }
}
