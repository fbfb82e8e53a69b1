package io.millrace.metrics;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.PipelineStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line a second for each pipeline that receives records, or one line for all of them if they are many, and a
 * summary when a feed has ended.
 */
public final class PipelineReporter implements SampleListener {

    private static final Logger LOG = LoggerFactory.getLogger(PipelineReporter.class);

    /** With more pipelines, their lines would fill the log. */
    private static final int MAX_LINES = 8;

    private final Set<String> ended = new HashSet<>();
    private @Nullable GarbageCollection previous;

    @Override
    public void sampled(Sample sample) {
        GarbageCollection gc = sample.collection();
        GarbageCollection since = previous == null ? gc.since(gc) : gc.since(previous);
        List<PipelineSample> receiving = new ArrayList<>();
        for (PipelineSample pipeline : sample.pipelines()) {
            boolean isFinal = countsAreFinal(pipeline.pipeline());
            if (!isFinal) {
                ended.remove(pipeline.status().name());
            }
            if (isFinal && ended.add(pipeline.status().name())) {
                // Not the sample's status: the pipeline may have counted more between the sample and its end.
                PipelineStatus last = PipelineStatus.of(pipeline.pipeline());
                LOG.info("{}", summary(last, pipeline.pipeline().elapsedNanos() / 1e9, gc));
            } else if (!isFinal && pipeline.records() > 0) {
                receiving.add(pipeline);
            }
        }
        if (receiving.size() > MAX_LINES) {
            LOG.info("{}", line(receiving, since));
        } else {
            receiving.forEach(pipeline -> LOG.info("{}", line(pipeline, since)));
        }
        previous = gc;
    }

    /** Returns whether the counters do not change any more. A failed pipeline still stores earlier records. */
    private static boolean countsAreFinal(Pipeline pipeline) {
        return pipeline.ended() && (pipeline.state() != PipelineState.FAILED || pipeline.terminated());
    }

    private static String line(PipelineSample pipeline, GarbageCollection gc) {
        PipelineStatus status = pipeline.status();
        return String.format(
                Locale.ROOT,
                "Pipeline %s: in=%d kept=%d dropped=%d rejected=%d perSecond=%.0f gcMillis=%d bytesPerRecord=%.1f",
                status.name(),
                status.in(),
                status.kept(),
                status.dropped(),
                status.rejected(),
                pipeline.eventsPerSecond(),
                gc.pauseMs(),
                pipeline.allocatedPerEvent());
    }

    private static String line(List<PipelineSample> pipelines, GarbageCollection gc) {
        List<PipelineStatus> all =
                pipelines.stream().map(PipelineSample::status).toList();
        return String.format(
                Locale.ROOT,
                "%d pipelines: in=%d kept=%d dropped=%d rejected=%d perSecond=%.0f gcMillis=%d",
                all.size(),
                all.stream().mapToLong(PipelineStatus::in).sum(),
                all.stream().mapToLong(PipelineStatus::kept).sum(),
                all.stream().mapToLong(PipelineStatus::dropped).sum(),
                all.stream().mapToLong(PipelineStatus::rejected).sum(),
                pipelines.stream().mapToDouble(PipelineSample::eventsPerSecond).sum(),
                gc.pauseMs());
    }

    private static String summary(PipelineStatus status, double seconds, GarbageCollection gc) {
        return String.format(
                Locale.ROOT,
                "Pipeline %s %s: in=%d made=%d kept=%d dropped=%d rejected=%d superseded=%d inFlight=%d seconds=%.2f"
                        + " perSecond=%.0f gcPauses=%d gcMillis=%d bytesPerRecord=%.2f",
                status.name(),
                status.state().equals(PipelineState.DONE.tag()) ? "completed" : status.state(),
                status.in(),
                status.made(),
                status.kept(),
                status.dropped(),
                status.rejected(),
                status.superseded(),
                status.inFlight(),
                seconds,
                status.in() / seconds,
                gc.pauses(),
                gc.pauseMs(),
                status.allocatedPerRecord());
    }
}
