package io.millrace.pipeline.monitor;

import io.millrace.codec.Counter;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.pipeline.definition.RejectThresholds;
import io.millrace.pipeline.monitor.RejectStatus.Level;
import io.millrace.pipeline.monitor.RejectStatus.Reason;
import io.millrace.pipeline.step.RejectCollector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the share of rejected records with the thresholds of a pipeline: for each {@linkplain EvaluationWindow
 * window} of its records, and for all records since the term began when the feed ends. Records of the feed and records
 * that steps have made of them have shares of their own, of which the larger counts. Logs one line when the level
 * changes. A level holds until the share falls below half of its threshold, so that a share close to the threshold does
 * not fill the log.
 *
 * <p>The pipeline's thread evaluates; any thread may read the {@linkplain #status status}.
 */
public final class RejectMonitor {

    /** Log lines and health checks show details of records up to this length. */
    private static final int MAX_DETAIL_LENGTH = 200;

    private static final Logger LOG = LoggerFactory.getLogger(RejectMonitor.class);

    private final String pipeline;
    private final String rejectsRegion;
    private final RejectThresholds thresholds;
    private final Counter arrived;
    private final LongSupplier elements;
    private final RejectCollector rejects;
    private final Map<Kind, Long> rejectedAtBegin = new EnumMap<>(Kind.class);
    private final Map<Kind, Long> rejectedBefore = new EnumMap<>(Kind.class);
    private Counts begun = Counts.NONE;
    private Counts before = Counts.NONE;
    private final EvaluationWindow window = new EvaluationWindow();
    private Level level = Level.NORMAL;
    private volatile RejectStatus status = RejectStatus.NONE;

    /** Numbers since the pipeline was created. */
    private record Counts(long records, long elements, long rejectedElements) {
        static final Counts NONE = new Counts(0, 0, 0);
    }

    /** Rejected records of a number of records. */
    private record Share(long rejected, long records, String unit) {

        double value() {
            return records == 0 ? 0 : (double) rejected / records;
        }
    }

    /**
     * @param arrived number of records received
     * @param elements number of records that steps have made of others
     */
    public RejectMonitor(
            String pipeline,
            String rejectsRegion,
            RejectThresholds thresholds,
            Counter arrived,
            LongSupplier elements,
            RejectCollector rejects) {
        this.pipeline = pipeline;
        this.rejectsRegion = rejectsRegion;
        this.thresholds = thresholds;
        this.arrived = arrived;
        this.elements = elements;
        this.rejects = rejects;
    }

    /** Returns the result of the last evaluation. Any thread. */
    public RejectStatus status() {
        return status;
    }

    /** Returns whether nearly all records were rejected at the last evaluation. Any thread. */
    public boolean degraded() {
        return status.level().equals(Level.DEGRADED.tag());
    }

    /** Begins a term: the shares are those of records that it receives. */
    public void begin() {
        rejectedAtBegin.putAll(rejected());
        rejectedBefore.putAll(rejectedAtBegin);
        begun = counts();
        before = begun;
        level = Level.NORMAL;
        status = RejectStatus.NONE;
        rejects.takeDetails();
    }

    /** Returns whether the window is complete. */
    public boolean due() {
        return window.complete(arrived.get() - before.records());
    }

    /**
     * Evaluates the window or the whole feed. Must not be called while a batch is being processed, because its rejects
     * are counted one by one.
     *
     * @throws ThresholdException if the share reaches {@link RejectThresholds#failAt}
     */
    public void evaluate(boolean wholeFeed) {
        if (wholeFeed) {
            evaluate(rejectedAtBegin, begun, true);
        } else {
            evaluate(rejectedBefore, before, false);
        }
    }

    private Map<Kind, Long> rejected() {
        Map<Kind, Long> rejected = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            rejected.put(kind, rejects.count(kind).get());
        }
        return rejected;
    }

    private Counts counts() {
        return new Counts(
                arrived.get(), elements.getAsLong(), rejects.elements().get());
    }

    private void evaluate(Map<Kind, Long> rejectedUntil, Counts until, boolean whole) {
        Map<Kind, Long> rejectedNow = rejected();
        List<Reason> reasons = new ArrayList<>();
        long rejected = 0;
        Map<Kind, String> details = rejects.takeDetails();
        for (Kind kind : Kind.values()) {
            long count = rejectedNow.getOrDefault(kind, 0L) - rejectedUntil.getOrDefault(kind, 0L);
            rejected += count;
            if (count > 0) {
                reasons.add(new Reason(kind.tag(), count, detail(kind, details)));
            }
        }
        reasons.sort(Comparator.comparingLong(Reason::count).reversed());
        Counts now = counts();
        rejectedBefore.putAll(rejectedNow);
        before = now;
        long records = now.records() - until.records();
        if (records > 0) {
            window.next();
            long rejectedElements = now.rejectedElements() - until.rejectedElements();
            Share ofRecords = new Share(rejected - rejectedElements, records, RejectStatus.RECORDS);
            Share ofElements = new Share(rejectedElements, now.elements() - until.elements(), RejectStatus.ELEMENTS);
            apply(larger(ofRecords, ofElements, whole), reasons, whole);
        }
    }

    /** Returns the larger share: many elements must not hide rejected records, nor many records rejected elements. */
    private static Share larger(Share ofRecords, Share ofElements, boolean whole) {
        boolean representative = whole || ofElements.records() >= EvaluationWindow.MIN_RECORDS;
        return representative && ofElements.value() > ofRecords.value() ? ofElements : ofRecords;
    }

    /**
     * Returns the detail of the first reject since the previous evaluation. For the whole feed, it may be one that an
     * earlier evaluation found.
     */
    private String detail(Kind kind, Map<Kind, String> details) {
        String detail = details.get(kind);
        if (detail != null) {
            return detail.length() <= MAX_DETAIL_LENGTH ? detail : detail.substring(0, MAX_DETAIL_LENGTH) + "...";
        }
        return status.reasons().stream()
                .filter(reason -> reason.reason().equals(kind.tag()))
                .map(Reason::detail)
                .findFirst()
                .orElse("");
    }

    private void apply(Share larger, List<Reason> reasons, boolean whole) {
        long rejected = larger.rejected();
        double share = larger.value();
        Level levelBefore = level;
        // The previous level does not matter for the whole feed.
        level = level(rejected, larger.records(), share, whole ? Level.NORMAL : levelBefore);
        status = new RejectStatus(
                level.tag(),
                share,
                rejected,
                larger.records(),
                larger.unit(),
                reasons.isEmpty() ? status.reasons() : List.copyOf(reasons));
        if (rejected > 0 && share >= thresholds.failAt()) {
            throw new ThresholdException(String.format(
                    Locale.ROOT,
                    "Too many rejected records for 'fail-at', %.2f%%: %s",
                    100 * thresholds.failAt(),
                    status.describe()));
        }
        if (level.compareTo(levelBefore) > 0) {
            LOG.warn(
                    "Pipeline {} rejects records: {}. See /api/regions/{}/records",
                    pipeline,
                    status.describe(),
                    rejectsRegion);
        } else if (level != levelBefore) {
            LOG.info("Pipeline {} rejects fewer records: {}", pipeline, status.describe());
        }
    }

    private Level level(long rejected, long records, double share, Level before) {
        if (rejected == 0) {
            return Level.NORMAL;
        }
        if (records >= EvaluationWindow.MIN_RECORDS
                && reaches(share, thresholds.degradedAt(), before == Level.DEGRADED)) {
            return Level.DEGRADED;
        }
        return reaches(share, thresholds.warnAt(), before != Level.NORMAL) ? Level.WARNING : Level.NORMAL;
    }

    private static boolean reaches(double share, double threshold, boolean reachedBefore) {
        return share >= (reachedBefore ? threshold / 2 : threshold);
    }
}
