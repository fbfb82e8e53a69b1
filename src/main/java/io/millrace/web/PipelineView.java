package io.millrace.web;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.millrace.pipeline.PipelineStatus;

/**
 * A pipeline in JSON.
 *
 * @param status its figures
 * @param eventsPerSecond records that came in over the last whole second
 * @param bytesPerEvent bytes allocated for each record beyond the values stored
 */
record PipelineView(@JsonUnwrapped PipelineStatus status, double eventsPerSecond, double bytesPerEvent) {}
