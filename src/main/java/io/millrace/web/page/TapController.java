package io.millrace.web.page;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.tap.TapPoint;
import io.millrace.pipeline.tap.TapPoints;
import io.millrace.web.KnownPipelines;
import io.millrace.web.request.ApiPath;
import io.millrace.web.stream.EventStreams;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Returns samples of the records that pass a point of a pipeline. */
@RestController
@RequestMapping(ApiPath.BASE + "/pipelines/{name}/taps")
class TapController {

    private final Pipelines pipelines;
    private final Taps taps;
    private final EventStreams streams;

    TapController(Pipelines pipelines, Taps taps, EventStreams streams) {
        this.pipelines = pipelines;
        this.taps = taps;
        this.streams = streams;
    }

    /** The points of a pipeline, in the order in which records reach them. */
    record PointsView(List<PointView> points) {}

    /** A point, and the one before it. */
    record PointView(
            String name,
            String kind,
            @Nullable String channel,
            @Nullable String after) {

        static PointView of(TapPoint point) {
            return new PointView(point.name(), point.kind(), point.channel(), point.after());
        }
    }

    @GetMapping
    PointsView points(@PathVariable String name) {
        return new PointsView(TapPoints.of(KnownPipelines.named(pipelines, name).plan()).stream()
                .map(PointView::of)
                .toList());
    }

    /**
     * Streams at most ten records a second, sampled evenly, until the client disconnects.
     *
     * @param where condition that the records meet, in the expression language
     */
    @GetMapping(path = "/{point}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Mono<Void> tap(
            @PathVariable String name,
            @PathVariable String point,
            @RequestParam(required = false) @Nullable String where,
            ServerHttpResponse response) {
        Pipeline pipeline = KnownPipelines.named(pipelines, name);
        TapPoint found = Taps.point(pipeline, point);
        return streams.send(response, () -> taps.open(pipeline, found, where));
    }
}
