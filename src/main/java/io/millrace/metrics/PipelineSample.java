package io.millrace.metrics;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineStatus;

/**
 * A pipeline's figures at one moment, and its rates since the moment before.
 *
 * @param pipeline itself
 * @param status its figures
 * @param conserved whether {@linkplain io.millrace.pipeline.Conservation every record is accounted for}
 * @param records that came in since the moment before
 * @param eventsPerSecond the same in a second
 * @param allocatedPerEvent bytes that the pipeline's thread allocated for each of these records, stored values
 *     included; 0 where none came
 * @param storedPerEvent bytes of values stored for each of these records, which is part of that
 */
public record PipelineSample(
        Pipeline pipeline,
        PipelineStatus status,
        boolean conserved,
        long records,
        double eventsPerSecond,
        double allocatedPerEvent,
        double storedPerEvent) {}
