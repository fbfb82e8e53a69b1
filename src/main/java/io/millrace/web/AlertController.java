package io.millrace.web;

import io.millrace.measure.AlertEvent;
import io.millrace.measure.MeasureKeeper;
import io.millrace.pipeline.Pipelines;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Alerts of all measures: those that stand, the last that were raised or cleared, and those to come as a stream. */
@RestController
@RequestMapping("/api/alerts")
class AlertController {

    private final Pipelines pipelines;
    private final MeasureEvents events;

    AlertController(Pipelines pipelines, MeasureEvents events) {
        this.pipelines = pipelines;
        this.events = events;
    }

    /**
     * Alerts.
     *
     * @param raised what told of each that stands, in no order
     * @param last those that were raised or cleared since the start, newest first, up to 1000
     */
    record AlertsView(List<AlertEvent> raised, List<AlertEvent> last) {}

    @GetMapping
    Mono<AlertsView> all() {
        return Workers.run(() -> new AlertsView(
                pipelines.all().stream()
                        .flatMap(pipeline -> pipeline.parts().measures().stream())
                        .map(MeasureKeeper::measure)
                        .flatMap(measure -> measure.raised().stream())
                        .toList(),
                events.lastAlerts()));
    }

    /** Alerts as they are raised and cleared. A client that reads too slowly misses some. */
    @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<ServerSentEvent<AlertEvent>> stream() {
        return events.alerts().listen(event -> event);
    }
}
