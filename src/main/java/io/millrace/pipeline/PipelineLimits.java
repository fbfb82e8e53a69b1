package io.millrace.pipeline;

import java.time.Duration;

/**
 * Bounds that hold for every pipeline.
 *
 * @param batchRecords the most records in a batch
 * @param latency the longest that a batch waits for more records
 * @param flush the longest that a kept record waits for its block to fill before the block is stored as it is
 */
public record PipelineLimits(int batchRecords, Duration latency, Duration flush) {}
