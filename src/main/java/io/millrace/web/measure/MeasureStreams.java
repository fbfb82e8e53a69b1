package io.millrace.web.measure;

import io.millrace.measure.MeasurePlan;
import io.millrace.measure.Window;
import io.millrace.pipeline.Pipelines;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
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
    EventSource windows(String measure, int limit, int interval) {
        requireBetween("limit", limit, 1, ROWS_MAX);
        requireBetween("interval", interval, 0, INTERVAL_MAX);
        MeasurePlan plan = measures.named(measure).measure().plan();
        Function<Window, byte[]> encoding =
                window -> EventBytes.data(mapper.writeValueAsBytes(MeasureViews.of(plan, window, limit)));
        EventHub<Window> windows = events.windows(measure);
        return interval == 0 ? windows.listen(encoding, null) : windows.sample(encoding, Duration.ofMillis(interval));
    }

    /** Listens to alerts as they are raised and cleared. A client that reads too slowly misses some. */
    EventSource alerts() {
        return events.alerts().listen(event -> EventBytes.data(mapper.writeValueAsBytes(event)), null);
    }

    static void requireBetween(String parameter, int value, int min, int max) {
        if (value < min || value > max) {
            throw new ApiException(
                    ApiErrorCode.BAD_QUERY,
                    "Invalid " + parameter + " '" + value + "'. Use " + min + " to " + max + ".");
        }
    }
}
