package io.millrace.web.measure;

import io.millrace.web.request.ApiPath;
import io.millrace.web.stream.EventStreams;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Streams windows and alerts in Spring WebFlux. */
@RestController
@RequestMapping(path = ApiPath.BASE, produces = MediaType.TEXT_EVENT_STREAM_VALUE)
class ReactiveStreamController {

    private final MeasureStreams measures;
    private final EventStreams streams;

    ReactiveStreamController(MeasureStreams measures, EventStreams streams) {
        this.measures = measures;
        this.streams = streams;
    }

    @GetMapping("/measures/{name}/stream")
    Mono<Void> windows(
            @PathVariable String name,
            @RequestParam(defaultValue = MeasureStreams.ROWS) String limit,
            @RequestParam(defaultValue = "0") String interval,
            ServerHttpResponse response) {
        return streams.send(response, () -> measures.windows(name, limit, interval));
    }

    @GetMapping("/alerts/stream")
    Mono<Void> alerts(ServerHttpResponse response) {
        return streams.send(response, measures::alerts);
    }
}
