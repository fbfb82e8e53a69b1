package io.millrace.web;

import io.millrace.metrics.PipelineReporter;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.schema.NearestName;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the pipelines are doing, and what their expressions became. */
@RestController
@RequestMapping("/api/pipelines")
class PipelineController {

    private final Pipelines pipelines;
    private final PipelineReporter reporter;

    PipelineController(Pipelines pipelines, PipelineReporter reporter) {
        this.pipelines = pipelines;
        this.reporter = reporter;
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
        return pipelines
                .named(name)
                .orElseThrow(() -> new ApiException(
                        404,
                        "unknown-pipeline",
                        "pipeline=" + name + " is not running here"
                                + NearestName.hint(
                                        name,
                                        pipelines.all().stream()
                                                .map(Pipeline::name)
                                                .toList())));
    }

    private PipelineView view(Pipeline pipeline) {
        PipelineStatus status = PipelineStatus.of(pipeline);
        return new PipelineView(
                status,
                Math.round(reporter.eventsPerSecond(pipeline.name())),
                Math.round(status.allocatedPerRecord() * 1000) / 1000.0);
    }
}
