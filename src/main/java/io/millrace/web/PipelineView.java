package io.millrace.web;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.millrace.pipeline.PipelineStatus;

/**
 * A pipeline in JSON.
 *
 * @param status its metrics
 * @param eventsPerSecond records read during the last whole second
 * @param bytesPerEvent bytes allocated for each record, in addition to the values stored
 */
public record PipelineView(@JsonUnwrapped PipelineStatus status, double eventsPerSecond, double bytesPerEvent) {

    /** Returns the view of a pipeline at one moment. */
    public static PipelineView of(PipelineStatus status, double eventsPerSecond) {
        return new PipelineView(
                status, Math.round(eventsPerSecond), Math.round(status.allocatedPerRecord() * 1000) / 1000.0);
    }
}
