package io.millrace.web;

import io.millrace.metrics.Sampler;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.web.request.ApiPath;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns the status of pipelines, and their compiled expressions. */
@RestController
@RequestMapping(ApiPath.BASE + "/pipelines")
class PipelineController {

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

    private Pipeline named(String name) {
        return KnownPipelines.named(pipelines, name);
    }

    private PipelineView view(Pipeline pipeline) {
        return PipelineView.of(PipelineStatus.of(pipeline), sampler.eventsPerSecond(pipeline.name()));
    }
}
