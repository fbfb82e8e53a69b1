package io.millrace.pipeline.monitor;

import io.millrace.background.DurationText;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.measure.window.MeasureCounts;
import io.millrace.pipeline.definition.LateThresholds;
import io.millrace.pipeline.monitor.RejectStatus.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the share of late records of each measure of a pipeline with the thresholds: for each
 * {@linkplain EvaluationWindow window} of records that reach the measure, and for all of them when the feed ends. Logs
 * one line when the level changes. A level holds until the share falls below half of the threshold.
 *
 * <p>The pipeline's thread evaluates; any thread may read the {@linkplain #status status}.
 */
public final class LateMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(LateMonitor.class);

    private final String pipeline;
    private final LateThresholds thresholds;
    private final Supplier<List<MeasureProcessor>> measures;
    private final Map<MeasureProcessor, Evaluated> evaluated = new HashMap<>();
    private volatile List<LateStatus> status = List.of();

    /** @param measures returns the measures of the current rules */
    public LateMonitor(String pipeline, LateThresholds thresholds, Supplier<List<MeasureProcessor>> measures) {
        this.pipeline = pipeline;
        this.thresholds = thresholds;
        this.measures = measures;
    }

    /** Returns the result of the last evaluation of each measure that had late records in it. Any thread. */
    public List<LateStatus> status() {
        return status;
    }

    /** Begins a term: the counts restored with the states of the measures are of records evaluated before. */
    public void begin() {
        evaluated.clear();
        status = List.of();
        measures.get().forEach(this::evaluated);
    }

    private Evaluated evaluated(MeasureProcessor measure) {
        return evaluated.computeIfAbsent(measure, Evaluated::new);
    }

    /**
     * Evaluates the measures whose windows are complete, or all records of all measures since the term began.
     *
     * @throws ThresholdException if the share of a measure reaches {@link LateThresholds#failAt}
     */
    public void evaluate(boolean wholeFeed) {
        List<MeasureProcessor> current = measures.get();
        evaluated.keySet().retainAll(current);
        boolean changed = false;
        for (MeasureProcessor measure : current) {
            changed |= evaluated(measure).evaluate(wholeFeed);
        }
        if (changed) {
            status = current.stream()
                    .map(measure -> evaluated(measure).status)
                    .filter(one -> one.late() > 0)
                    .toList();
            status.stream()
                    .filter(one -> one.share() >= thresholds.failAt())
                    .findFirst()
                    .ifPresent(this::fail);
        }
    }

    private void fail(LateStatus late) {
        throw new ThresholdException(String.format(
                Locale.ROOT,
                "Too many late records of measure '%s' for 'fail-at', %.2f%%: %s",
                late.measure(),
                100 * thresholds.failAt(),
                late.describe()));
    }

    /** Numbers of records that have reached a measure. */
    private record Counts(long late, long records) {

        static Counts of(MeasureProcessor measure) {
            MeasureCounts counts = measure.measure().counts();
            long late = counts.late().get();
            return new Counts(
                    late,
                    late
                            + counts.counted().get()
                            + counts.ahead().get()
                            + counts.failed().get());
        }

        Counts since(Counts earlier) {
            return new Counts(late - earlier.late, records - earlier.records);
        }

        double share() {
            return records == 0 ? 0 : (double) late / records;
        }
    }

    /** The evaluation of one measure. */
    private final class Evaluated {

        private final MeasureProcessor measure;
        private final EvaluationWindow window = new EvaluationWindow();
        private final Counts begun;
        private Counts before;
        private LateStatus status;

        private Evaluated(MeasureProcessor measure) {
            this.measure = measure;
            begun = Counts.of(measure);
            before = begun;
            status = status(Level.NORMAL, new Counts(0, 0));
        }

        /** Returns whether it was evaluated. */
        private boolean evaluate(boolean wholeFeed) {
            Counts now = Counts.of(measure);
            if (!wholeFeed && !window.complete(now.records() - before.records())) {
                return false;
            }
            Counts counts = now.since(wholeFeed ? begun : before);
            before = now;
            window.next();
            // The previous level does not matter for the whole feed.
            double threshold = status.reached() && !wholeFeed ? thresholds.warnAt() / 2 : thresholds.warnAt();
            boolean reached = counts.late() > 0 && counts.share() >= threshold;
            boolean reachedBefore = status.reached();
            status = status(reached ? Level.WARNING : Level.NORMAL, counts);
            if (reached != reachedBefore) {
                log(reached);
            }
            return true;
        }

        private LateStatus status(Level level, Counts counts) {
            return new LateStatus(
                    measure.measure().plan().name(), level.tag(), counts.share(), counts.late(), counts.records());
        }

        private void log(boolean reached) {
            if (reached) {
                LOG.warn(
                        "Measure {} of pipeline {} leaves out late records: {} allowedLateness={}. To count them, increase"
                                + " 'allowed-lateness' of the measure.",
                        status.measure(),
                        pipeline,
                        status.describe(),
                        DurationText.of(measure.measure().plan().definition().lateness()));
            } else {
                LOG.info(
                        "Measure {} of pipeline {} leaves out fewer late records: {}",
                        status.measure(),
                        pipeline,
                        status.describe());
            }
        }
    }
}
