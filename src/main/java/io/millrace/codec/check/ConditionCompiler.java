package io.millrace.codec.check;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.schema.RecordConstraint;
import io.millrace.schema.Schema;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Compiles the conditions of constraints. The implementation is found as a service, because expressions depend on this
 * package. Thread-safe.
 */
public interface ConditionCompiler {

    /**
     * Compiles a condition.
     *
     * @param schema schema of the batches, whose rows contain the fields that the condition reads
     * @throws IllegalArgumentException if the condition is not valid in the schema
     */
    Condition compile(Schema schema, RecordConstraint constraint);

    /** Returns the implementation. */
    static ConditionCompiler installed() {
        return ServiceLoader.load(ConditionCompiler.class, ConditionCompiler.class.getClassLoader())
                .findFirst()
                .orElseThrow();
    }

    /**
     * A compiled condition.
     *
     * @param filter narrows the selection of a batch to the records that meet the condition
     * @param reads names of the fields and repeating parts that it reads
     * @param separate whether the result for an element depends on no other element of the same part
     */
    record Condition(Filter filter, Set<String> reads, boolean separate) {

        public Condition {
            reads = Set.copyOf(reads);
        }
    }

    /** Narrows the selection of a batch. Thread-safe. */
    @FunctionalInterface
    interface Filter {

        /**
         * Removes the records that do not meet the condition from the selection.
         *
         * @param rejects receives each record for which the condition has no result, which is removed too
         */
        void apply(RecordBatch batch, RejectSink rejects);
    }
}
