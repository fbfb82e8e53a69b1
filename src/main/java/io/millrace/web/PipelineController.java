package io.millrace.web;

import io.millrace.metrics.Sampler;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.run.RestartRefusedException;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import io.millrace.web.request.ApiPath;
import java.time.Duration;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Returns the status of pipelines and their compiled expressions, and restarts pipelines. */
@RestController
@RequestMapping(ApiPath.BASE + "/pipelines")
class PipelineController {

    /** How long a request waits until the restart has begun. */
    private static final Duration RESTART_TIMEOUT = Duration.ofSeconds(5);

    private final Pipelines pipelines;
    private final Sampler sampler;

    PipelineController(Pipelines pipelines, Sampler sampler) {
        this.pipelines = pipelines;
        this.sampler = sampler;
    }

    @GetMapping
    List<PipelineView> all() {
        return pipelines.all().stream().map(this::view).toList();
    }

    @GetMapping("/{name}")
    PipelineView one(@PathVariable String name) {
        return view(named(name));
    }

    @GetMapping("/{name}/explain")
    ExplanationView explain(@PathVariable String name) {
        return ExplanationView.of(named(name));
    }

    @PostMapping("/{name}/restart")
    Mono<RestartView> restart(@PathVariable String name) {
        Pipeline pipeline = named(name);
        return Mono.fromFuture(pipeline::restart)
                .map(RestartView::restarted)
                .timeout(RESTART_TIMEOUT, Mono.fromSupplier(() -> RestartView.pending(pipeline)))
                .onErrorMap(RestartRefusedException.class, PipelineController::refused);
    }

    private static ApiException refused(RestartRefusedException e) {
        ApiErrorCode code = switch (e.reason()) {
            case STANDBY -> ApiErrorCode.STANDBY;
            case FAILED -> ApiErrorCode.RESTART_FAILED;
            case STOPPED -> ApiErrorCode.STOPPED;
        };
        return new ApiException(code, String.valueOf(e.getMessage()));
    }

    private Pipeline named(String name) {
        return KnownPipelines.named(pipelines, name);
    }

    private PipelineView view(Pipeline pipeline) {
        return PipelineView.of(PipelineStatus.of(pipeline), sampler.eventsPerSecond(pipeline.name()));
    }
}
