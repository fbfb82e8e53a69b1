package io.millrace.metrics;

import java.util.List;

/**
 * All pipelines and the process at one moment.
 *
 * @param time in milliseconds since 1970
 * @param pipelines in the order of the configuration
 * @param collection garbage collection since the start
 * @param pauses of the collector that ended since the moment before, oldest first
 * @param process what this process uses
 */
public record Sample(
        long time,
        List<PipelineSample> pipelines,
        GarbageCollection collection,
        List<CollectorPause> pauses,
        ProcessSample process) {}
