package io.millrace.config;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.monitor.RejectStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Shows the state of each pipeline, why it failed or waits for its feed, why it rejects records, and how many are late
 * for measures; down if one has failed or can't read its feed.
 */
final class PipelinesHealth extends AbstractHealthIndicator {

    private final Pipelines pipelines;

    PipelinesHealth(Pipelines pipelines) {
        this.pipelines = pipelines;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        for (Pipeline pipeline : pipelines.all()) {
            PipelineState state = pipeline.state();
            String error = pipeline.error();
            if (state == PipelineState.FAILED || error != null) {
                builder.down();
            }
            builder.withDetail(pipeline.name(), details(pipeline, state, error));
        }
    }

    private static Map<String, Object> details(Pipeline pipeline, PipelineState state, @Nullable String error) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", state.tag());
        if (error != null) {
            details.put("error", error);
        }
        RejectStatus rejects = pipeline.rejectStatus();
        if (!rejects.reasons().isEmpty()) {
            details.put("rejects", rejects);
        }
        if (!pipeline.lateStatus().isEmpty()) {
            details.put("late", pipeline.lateStatus());
        }
        return details;
    }
}
