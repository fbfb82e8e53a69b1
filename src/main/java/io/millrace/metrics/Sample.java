package io.millrace.metrics;

import java.util.List;

/**
 * The state of all pipelines and of the process at one moment.
 *
 * @param time time of the sample, in milliseconds since 1970
 * @param pipelines pipelines in the order of the configuration
 * @param collection garbage collection since the start
 * @param pauses GC pauses that ended since the previous sample, oldest first
 * @param process resources that the process uses
 */
public record Sample(
        long time,
        List<PipelineSample> pipelines,
        GarbageCollection collection,
        List<CollectorPause> pauses,
        ProcessSample process) {}
