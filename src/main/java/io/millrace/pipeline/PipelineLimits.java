package io.millrace.pipeline;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits that apply to every pipeline.
 *
 * @param batchRecords maximum number of records in a batch
 * @param latency maximum time that a batch waits for more records
 * @param flush maximum time that a kept record waits for its block to fill; after it, the block is stored partly filled
 * @param feedRetryTimeout time after which a pipeline fails whose feed can't be read; null for never
 */
public record PipelineLimits(
        int batchRecords,
        Duration latency,
        Duration flush,
        @Nullable Duration feedRetryTimeout) {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    /** Returns a wait limited by the flush interval, and by a bound after which a stop request is noticed. */
    Duration bounded(Duration wait) {
        Duration bound = flush.compareTo(LONGEST_WAIT) < 0 ? flush : LONGEST_WAIT;
        return wait.compareTo(bound) < 0 ? wait : bound;
    }
}
