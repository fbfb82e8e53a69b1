package io.millrace.web.page;

import io.millrace.web.request.ApiPath;
import io.millrace.web.request.Workers;
import io.millrace.web.stream.EventStreams;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Returns the state of all pipelines, the regions and the process, every second. */
@RestController
@RequestMapping(ApiPath.BASE + "/live")
class LiveController {

    private final LiveMoments moments;
    private final EventStreams streams;

    LiveController(LiveMoments moments, EventStreams streams) {
        this.moments = moments;
        this.streams = streams;
    }

    /** Streams the latest moment at once, then one each second. A client that reads too slowly misses some. */
    @GetMapping(produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Mono<Void> live(ServerHttpResponse response) {
        return Workers.run(() -> Optional.ofNullable(moments.latest()))
                .flatMap(first -> streams.send(response, () -> moments.listen(first.orElse(null))));
    }

    /** Returns the history of the last quarter of an hour. */
    @GetMapping("/history")
    Mono<Map<String, Object>> history() {
        return Workers.run(moments::history);
    }
}
