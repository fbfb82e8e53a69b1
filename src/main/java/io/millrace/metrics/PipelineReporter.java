package io.millrace.metrics;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.PipelineStatus;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs one line a second for each pipeline that receives records, and a summary when a feed has ended. */
public final class PipelineReporter implements SampleListener {

    private static final Logger LOG = LoggerFactory.getLogger(PipelineReporter.class);

    private final Set<String> ended = new HashSet<>();
    private @Nullable GarbageCollection previous;

    @Override
    public void sampled(Sample sample) {
        GarbageCollection gc = sample.collection();
        GarbageCollection since = previous == null ? gc.since(gc) : gc.since(previous);
        for (PipelineSample pipeline : sample.pipelines()) {
            boolean isFinal = countsAreFinal(pipeline.pipeline());
            if (isFinal && ended.add(pipeline.status().name())) {
                // Not the sample's status: the pipeline may have counted more between the sample and its end.
                PipelineStatus last = PipelineStatus.of(pipeline.pipeline());
                LOG.info("{}", summary(last, pipeline.pipeline().elapsedNanos() / 1e9, gc));
            } else if (!isFinal && pipeline.records() > 0) {
                LOG.info("{}", line(pipeline, since));
            }
        }
        previous = gc;
    }

    /**
     * Returns whether the counters do not change any more. A failed pipeline still stores earlier records until its
     * thread ends.
     */
    private static boolean countsAreFinal(Pipeline pipeline) {
        return pipeline.ended() && (pipeline.state() != PipelineState.FAILED || pipeline.terminated());
    }

    private static String line(PipelineSample pipeline, GarbageCollection gc) {
        PipelineStatus status = pipeline.status();
        return String.format(
                Locale.ROOT,
                "%s: %,.0f events/s, in %,d, kept %,d, dropped %,d, rejected %,d, gc %d ms, %.1f B/event",
                status.name(),
                pipeline.eventsPerSecond(),
                status.in(),
                status.kept(),
                status.dropped(),
                status.rejected(),
                gc.pauseMs(),
                pipeline.allocatedPerEvent());
    }

    private static String summary(PipelineStatus status, double seconds, GarbageCollection gc) {
        return String.format(
                Locale.ROOT,
                "%s: %s after %.2f s, %,.0f events/s: in %,d%s = kept %,d + dropped %,d + rejected %,d + superseded %,d"
                        + " + in flight %,d; %.2f B/event allocated beyond stored values; gc: %d pauses, %d ms",
                status.name(),
                status.state(),
                seconds,
                status.in() / seconds,
                status.in(),
                status.made() == 0 ? "" : String.format(Locale.ROOT, " + made %,d", status.made()),
                status.kept(),
                status.dropped(),
                status.rejected(),
                status.superseded(),
                status.inFlight(),
                status.allocatedPerRecord(),
                gc.pauses(),
                gc.pauseMs());
    }
}
