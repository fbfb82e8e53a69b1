package io.millrace.store.scan;

import io.millrace.expression.BatchFilter;
import io.millrace.store.block.StoredCondition;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query as it is evaluated on encoded records. Immutable.
 *
 * @param tests of single fields that all must hold; for fields that are columns, the rest does not repeat them
 * @param rest the condition without these tests, null if nothing remains
 * @param reads fields that the whole condition and the order read
 * @param restReads fields that the rest and the order read from records, not from columns
 */
record EncodedQuery(List<StoredCondition> tests, @Nullable BatchFilter rest, Set<String> reads, Set<String> restReads) {

    EncodedQuery {
        tests = List.copyOf(tests);
        reads = Set.copyOf(reads);
        restReads = Set.copyOf(restReads);
    }
}
