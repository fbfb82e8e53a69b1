package io.millrace.web.measure;

import io.millrace.pipeline.Pipelines;
import io.millrace.web.request.ApiPath;
import io.millrace.web.request.RequestValue;
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
            @RequestParam(defaultValue = "1") String windows,
            @RequestParam(defaultValue = MeasureStreams.ROWS) String limit) {
        int count = RequestValue.between("windows", windows, 0, WINDOWS_MAX);
        int rows = RequestValue.between("limit", limit, 1, MeasureStreams.ROWS_MAX);
        return Mono.fromCallable(() -> measures.named(name))
                .flatMap(known -> reads.read(
                        "measure " + name,
                        List.of(count, rows),
                        () -> mapper.writeValueAsBytes(MeasureViews.withWindows(known, count, rows))))
                .map(MeasureReads::json);
    }
}
