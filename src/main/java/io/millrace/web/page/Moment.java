package io.millrace.web.page;

import io.millrace.metrics.CollectorPause;
import io.millrace.metrics.ProcessSample;
import io.millrace.metrics.Sample;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data that the page shows for one second, in JSON.
 *
 * @param time in milliseconds since 1970
 * @param gc GC pauses that ended since the previous moment
 * @param cpu share of all processors, 0 to 1; null if not known
 * @param regions as in {@code /api/regions}
 */
record Moment(
        long time,
        List<LivePipeline> pipelines,
        List<CollectorPause> gc,
        long heapUsed,
        long heapCommitted,
        long heapMax,
        @Nullable Double cpu,
        int processors,
        List<Map<String, @Nullable Object>> regions) {

    static Moment of(Sample sample, List<Map<String, @Nullable Object>> regions) {
        ProcessSample process = sample.process();
        return new Moment(
                sample.time(),
                sample.pipelines().stream().map(LivePipeline::of).toList(),
                sample.pauses(),
                process.heapUsed(),
                process.heapCommitted(),
                process.heapMax(),
                process.cpu() < 0 ? null : (Double) (Math.round(process.cpu() * 1000) / 1000.0),
                process.processors(),
                regions);
    }
}
