package io.millrace.config;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.Pipelines;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Shows which pipelines are on standby, and the process that runs each. Always up: standby is a normal state. */
final class StandbyHealth extends AbstractHealthIndicator {

    private final Pipelines pipelines;

    StandbyHealth(Pipelines pipelines) {
        this.pipelines = pipelines;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        for (Pipeline pipeline : pipelines.all()) {
            String owner = pipeline.owner();
            if (pipeline.state() == PipelineState.STANDBY && owner != null) {
                builder.withDetail(pipeline.name(), "Runs in " + owner);
            }
        }
    }
}
