package io.millrace.web.measure;

import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Window;
import io.millrace.pipeline.Pipelines;
import io.millrace.web.request.ApiException;
import io.millrace.web.request.RequestValue;
import io.millrace.web.stream.EventBytes;
import io.millrace.web.stream.EventHub;
import io.millrace.web.stream.EventSource;
import java.time.Duration;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;

/** Streams of the windows of a measure as they are closed, and of alerts. Thread-safe. */
final class MeasureStreams {

    static final int ROWS_MAX = 10_000;
    /** Default of the maximum number of rows of a window. */
    static final String ROWS = "100";

    private static final int INTERVAL_MAX = 60_000;

    private final KnownMeasures measures;
    private final MeasureEvents events;
    private final JsonMapper mapper;

    MeasureStreams(Pipelines pipelines, MeasureEvents events, JsonMapper mapper) {
        this.measures = new KnownMeasures(pipelines);
        this.events = events;
        this.mapper = mapper;
    }

    /**
     * Listens to the windows of a measure. A client that reads too slowly misses some.
     *
     * @param limit maximum number of rows of each window
     * @param interval minimum time between two windows in milliseconds; of the windows closed meanwhile, the last one
     *     is sent
     * @throws ApiException if a parameter is invalid, or there is no such measure
     */
    EventSource windows(String measure, String limit, String interval) {
        int rows = RequestValue.between("limit", limit, 1, ROWS_MAX);
        int millis = RequestValue.between("interval", interval, 0, INTERVAL_MAX);
        MeasurePlan plan = measures.named(measure).measure().plan();
        Function<Window, byte[]> encoding =
                window -> EventBytes.data(mapper.writeValueAsBytes(MeasureViews.of(plan, window, rows)));
        EventHub<Window> windows = events.windows(measure);
        return millis == 0 ? windows.listen(encoding, null) : windows.sample(encoding, Duration.ofMillis(millis));
    }

    /** Listens to alerts as they are raised and cleared. A client that reads too slowly misses some. */
    EventSource alerts() {
        return events.alerts().listen(event -> EventBytes.data(mapper.writeValueAsBytes(event)), null);
    }
}
