package io.millrace.pipeline.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits that apply to every pipeline.
 *
 * @param batchRecords maximum number of records in a batch
 * @param latency maximum time after which records are confirmed to senders that wait for it, while more arrive
 * @param flush maximum time that a kept record waits for its block to fill; after it, the block is stored partly filled
 * @param feedRetryTimeout time after which a pipeline fails whose feed can't be read; null for never
 */
public record PipelineLimits(
        int batchRecords,
        Duration latency,
        Duration flush,
        @Nullable Duration feedRetryTimeout) {}
