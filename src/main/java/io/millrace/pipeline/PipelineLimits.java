package io.millrace.pipeline;

import java.time.Duration;

/**
 * Limits that apply to every pipeline.
 *
 * @param batchRecords maximum number of records in a batch
 * @param latency maximum time that a batch waits for more records
 * @param flush maximum time that a kept record waits for its block to fill; after it, the block is stored partly filled
 */
public record PipelineLimits(int batchRecords, Duration latency, Duration flush) {}
