package io.millrace.web.measure;

import io.millrace.pipeline.Pipelines;
import io.millrace.web.request.ApiPath;
import io.millrace.web.request.Workers;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Returns the results of measures: the open window and the last closed windows. */
@RestController
@RequestMapping(ApiPath.BASE + "/measures")
class MeasureController {

    private static final int WINDOWS_MAX = 60;

    private final KnownMeasures measures;
    private final MeasureReads reads;
    private final JsonMapper mapper;

    MeasureController(Pipelines pipelines, MeasureReads reads, JsonMapper mapper) {
        this.measures = new KnownMeasures(pipelines);
        this.reads = reads;
        this.mapper = mapper;
    }

    @GetMapping
    Mono<List<Map<String, @Nullable Object>>> all() {
        return Workers.run(() -> measures.all().map(MeasureViews::of).toList());
    }

    /**
     * Returns a measure.
     *
     * @param windows maximum number of closed windows, newest first; fewer if they have too many rows together
     * @param limit maximum number of rows of each window
     */
    @GetMapping("/{name}")
    Mono<ResponseEntity<byte[]>> one(
            @PathVariable String name,
            @RequestParam(defaultValue = "1") int windows,
            @RequestParam(defaultValue = MeasureStreams.ROWS) int limit) {
        return Mono.fromCallable(() -> {
                    MeasureStreams.requireBetween("windows", windows, 0, WINDOWS_MAX);
                    MeasureStreams.requireBetween("limit", limit, 1, MeasureStreams.ROWS_MAX);
                    return measures.named(name);
                })
                .flatMap(known -> reads.read(
                        "measure " + name,
                        List.of(windows, limit),
                        () -> mapper.writeValueAsBytes(MeasureViews.withWindows(known, windows, limit))))
                .map(MeasureReads::json);
    }
}
