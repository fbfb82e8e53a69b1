package io.millrace.web.measure;

import io.millrace.measure.AlertEvent;
import io.millrace.pipeline.Pipelines;
import io.millrace.web.request.ApiPath;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Returns the alerts of all measures: those that are raised, and the last that were raised or cleared. */
@RestController
@RequestMapping(ApiPath.BASE + "/alerts")
class AlertController {

    private static final int RAISED_MAX = 10_000;

    private final Pipelines pipelines;
    private final MeasureReads reads;
    private final MeasureEvents events;
    private final JsonMapper mapper;

    AlertController(Pipelines pipelines, MeasureReads reads, MeasureEvents events, JsonMapper mapper) {
        this.pipelines = pipelines;
        this.reads = reads;
        this.events = events;
        this.mapper = mapper;
    }

    /**
     * The alerts of all measures.
     *
     * @param raised events of the alerts that are raised now, in no particular order, up to 10,000
     * @param last events of alerts that were raised or cleared since the start, newest first, up to 1000
     */
    record AlertsView(List<AlertEvent> raised, List<AlertEvent> last) {}

    @GetMapping
    Mono<ResponseEntity<byte[]>> all() {
        return reads.read("alerts", "", () -> mapper.writeValueAsBytes(view())).map(MeasureReads::json);
    }

    private AlertsView view() {
        return new AlertsView(
                pipelines.all().stream()
                        .flatMap(pipeline -> pipeline.measures().stream())
                        .flatMap(measure -> measure.raised().stream())
                        .limit(RAISED_MAX)
                        .toList(),
                events.lastAlerts());
    }
}
