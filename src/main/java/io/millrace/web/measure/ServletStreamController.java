package io.millrace.web.measure;

import io.millrace.web.request.ApiPath;
import io.millrace.web.stream.ServletEventStreams;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;

/** Streams windows and alerts in Spring MVC. */
@RestController
@RequestMapping(path = ApiPath.BASE, produces = MediaType.TEXT_EVENT_STREAM_VALUE)
class ServletStreamController {

    private final MeasureStreams measures;
    private final ServletEventStreams streams;

    ServletStreamController(MeasureStreams measures, ServletEventStreams streams) {
        this.measures = measures;
        this.streams = streams;
    }

    @GetMapping("/measures/{name}/stream")
    ResponseEntity<ResponseBodyEmitter> windows(
            @PathVariable String name,
            @RequestParam(defaultValue = MeasureStreams.ROWS) String limit,
            @RequestParam(defaultValue = "0") String interval) {
        return streams.send(() -> measures.windows(name, limit, interval));
    }

    @GetMapping("/alerts/stream")
    ResponseEntity<ResponseBodyEmitter> alerts() {
        return streams.send(measures::alerts);
    }
}
