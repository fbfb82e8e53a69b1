package io.millrace.web;

import io.millrace.measure.Measure;
import io.millrace.measure.MeasurePlan;
import io.millrace.measure.MeasureProcessor;
import io.millrace.measure.OpenWindow;
import io.millrace.measure.Window;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.Pipelines;
import io.millrace.schema.NearestName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Returns the results of measures: the open window, the last closed windows, and closed windows as a stream. */
@RestController
@RequestMapping("/api/measures")
class MeasureController {

    private static final int ROWS_MAX = 10_000;
    private static final String ROWS = "100";
    private static final int WINDOWS_MAX = 60;
    /** Maximum number of rows in all closed windows of an answer. */
    private static final int CLOSED_ROWS_MAX = 20_000;

    private static final int INTERVAL_MAX = 60_000;

    private final Pipelines pipelines;
    private final MeasureReads reads;
    private final MeasureEvents events;
    private final EventStreams streams;
    private final JsonMapper mapper;

    MeasureController(
            Pipelines pipelines, MeasureReads reads, MeasureEvents events, EventStreams streams, JsonMapper mapper) {
        this.pipelines = pipelines;
        this.reads = reads;
        this.events = events;
        this.streams = streams;
        this.mapper = mapper;
    }

    @GetMapping
    Mono<List<Map<String, @Nullable Object>>> all() {
        return Workers.run(() -> pipelines.all().stream()
                .flatMap(pipeline -> measures(pipeline).map(measure -> view(pipeline, measure)))
                .toList());
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
            @RequestParam(defaultValue = ROWS) int limit) {
        return Mono.fromCallable(() -> {
                    between("windows", windows, 0, WINDOWS_MAX);
                    between("limit", limit, 1, ROWS_MAX);
                    return pipelineOf(name);
                })
                .flatMap(pipeline -> reads.read(
                        "measure " + name,
                        List.of(windows, limit),
                        () -> mapper.writeValueAsBytes(view(pipeline, measure(pipeline, name), windows, limit))))
                .map(MeasureReads::json);
    }

    private static Map<String, @Nullable Object> view(Pipeline pipeline, Measure measure, int windows, int limit) {
        MeasurePlan plan = measure.plan();
        Map<String, @Nullable Object> view = view(pipeline, measure);
        OpenWindow current = measure.current(limit);
        view.put("current", current == null ? null : view(plan, current.window(), current.groups(), limit));
        List<Map<String, @Nullable Object>> closed = new ArrayList<>();
        int rows = 0;
        for (Window window : measure.closedWindows()) {
            rows += Math.min(limit, window.count());
            if (closed.size() == windows || rows > CLOSED_ROWS_MAX) {
                break;
            }
            closed.add(view(plan, window, limit));
        }
        view.put("windows", closed);
        return view;
    }

    /**
     * Streams windows as they are closed. A client that reads too slowly misses some.
     *
     * @param limit maximum number of rows of each window
     * @param interval minimum time between two windows in milliseconds; of the windows closed meanwhile, the last one
     *     is sent
     */
    @GetMapping(path = "/{name}/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Mono<Void> stream(
            @PathVariable String name,
            @RequestParam(defaultValue = ROWS) int limit,
            @RequestParam(defaultValue = "0") int interval,
            ServerHttpResponse response) {
        between("limit", limit, 1, ROWS_MAX);
        between("interval", interval, 0, INTERVAL_MAX);
        MeasurePlan plan = measure(pipelineOf(name), name).plan();
        Function<Window, byte[]> encoding =
                window -> EventBytes.data(mapper.writeValueAsBytes(view(plan, window, limit)));
        EventHub<Window> windows = events.windows(name);
        return streams.send(
                response,
                () -> interval == 0
                        ? windows.listen(encoding, null)
                        : windows.sample(encoding, Duration.ofMillis(interval)));
    }

    private static Stream<Measure> measures(Pipeline pipeline) {
        return pipeline.measures().stream().map(MeasureProcessor::measure);
    }

    private static Measure measure(Pipeline pipeline, String name) {
        return measures(pipeline)
                .filter(measure -> measure.plan().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Pipeline pipelineOf(String name) {
        return pipelines.all().stream()
                .filter(pipeline -> measures(pipeline)
                        .anyMatch(measure -> measure.plan().name().equals(name)))
                .findFirst()
                .orElseThrow(() -> unknown(name));
    }

    private ApiException unknown(String name) {
        List<String> names = pipelines.all().stream()
                .flatMap(MeasureController::measures)
                .map(measure -> measure.plan().name())
                .toList();
        return new ApiException(
                404,
                "unknown-measure",
                "measure=" + name + " is not one of those here" + NearestName.hint(name, names));
    }

    private static void between(String parameter, int value, int min, int max) {
        if (value < min || value > max) {
            throw new ApiException(
                    400, "bad-query", parameter + "=" + value + " is not between " + min + " and " + max);
        }
    }

    private static Map<String, @Nullable Object> view(Pipeline pipeline, Measure measure) {
        MeasurePlan plan = measure.plan();
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("name", plan.name());
        view.put("pipeline", pipeline.name());
        view.put("by", plan.definition().by());
        view.put("values", plan.definition().values());
        view.put("region", plan.definition().region());
        view.put("groups", measure.groups());
        view.put("counted", measure.counts().counted().get());
        view.put("late", measure.counts().late().get());
        view.put("ahead", measure.counts().ahead().get());
        view.put("failed", measure.counts().failed().get());
        view.put("firstFailure", measure.firstFailure());
        List<Map<String, Object>> alerts = new ArrayList<>();
        for (int i = 0; i < plan.alerts().size(); i++) {
            Map<String, Object> alert = new LinkedHashMap<>();
            alert.put("name", plan.alerts().get(i).name());
            alert.put("raised", measure.raised(i).get());
            alert.put("missed", measure.missed(i).get());
            alerts.add(alert);
        }
        view.put("alerts", alerts);
        return view;
    }

    private static Map<String, @Nullable Object> view(MeasurePlan plan, Window window, int limit) {
        return view(plan, window, window.count(), limit);
    }

    /** @param groups number of groups in the window; null if it is not known */
    private static Map<String, @Nullable Object> view(
            MeasurePlan plan, Window window, @Nullable Integer groups, int limit) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("start", Instant.ofEpochMilli(window.start()));
        view.put("end", Instant.ofEpochMilli(window.end()));
        view.put("groups", groups);
        view.put(
                "rows",
                IntStream.range(0, Math.min(limit, window.count()))
                        .mapToObj(row -> plan.decode(window, row))
                        .toList());
        return view;
    }
}
