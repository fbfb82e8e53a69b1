package io.millrace.web.page;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.millrace.metrics.PipelineSample;
import io.millrace.web.PipelineView;

/**
 * A pipeline in a moment.
 *
 * @param view the same as in {@code /api/pipelines}
 * @param conserved whether every record is accounted for
 */
record LivePipeline(@JsonUnwrapped PipelineView view, boolean conserved) {

    static LivePipeline of(PipelineSample sample) {
        return new LivePipeline(PipelineView.of(sample.status(), sample.eventsPerSecond()), sample.conserved());
    }
}
