package io.millrace.corpus;

import io.millrace.store.query.AggregateQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A place that evaluates expressions of the corpus's records. Each method returns null if it is not for this place. */
interface Place {

    /** Returns the records that meet a condition, each with the value true. */
    default @Nullable Found matching(String condition) {
        return null;
    }

    /** Returns the values of an expression. */
    default @Nullable Found values(String expression) {
        return null;
    }

    /** Returns the numbers of all records in an order. */
    default @Nullable List<Long> ordered(String order) {
        return null;
    }

    /** Returns the groups of an aggregate query. */
    default @Nullable Rows rows(AggregateQuery query) {
        return null;
    }
}
