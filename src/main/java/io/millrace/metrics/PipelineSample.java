package io.millrace.metrics;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineStatus;

/**
 * The counters of a pipeline at one moment, and its rates since the previous sample.
 *
 * @param pipeline the pipeline
 * @param status its counters
 * @param conserved whether {@linkplain io.millrace.pipeline.Conservation every record is accounted for}
 * @param records records received since the previous sample
 * @param eventsPerSecond records received per second since the previous sample
 * @param allocatedPerEvent bytes that the pipeline's thread allocated for each of these records, including stored
 *     values; 0 without records
 * @param storedPerEvent bytes of values stored for each of these records, which {@code allocatedPerEvent} includes
 */
public record PipelineSample(
        Pipeline pipeline,
        PipelineStatus status,
        boolean conserved,
        long records,
        double eventsPerSecond,
        double allocatedPerEvent,
        double storedPerEvent) {}
