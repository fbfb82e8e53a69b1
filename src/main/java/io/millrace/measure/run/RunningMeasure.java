package io.millrace.measure.run;

import io.millrace.codec.Counter;
import io.millrace.measure.AlertEvent;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Window;
import io.millrace.measure.window.ClosedRows;
import io.millrace.measure.window.Measure;
import io.millrace.measure.window.MeasureCounts;
import io.millrace.measure.window.OpenPanes;
import io.millrace.measure.window.OpenWindow;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A measure of a pipeline as others read it: its counters, windows and alerts, over all partitions of this process.
 * Thread-safe.
 */
public final class RunningMeasure {

    private final List<MeasureProcessor> partitions;
    private final List<OpenPanes> open;
    private final ClosedRows rows;
    private final MeasureCounts counts;

    /** @param partitions the processors of one measure, by partition: one, or all of them */
    public RunningMeasure(List<MeasureProcessor> partitions) {
        this.partitions = List.copyOf(partitions);
        MeasureMerge merge = partitions.getFirst().merge();
        this.rows = merge == null ? first().rows() : merge.rows();
        // Panes go from partitions to the merge: in this order, none is read twice.
        this.open = Stream.concat(
                        Stream.ofNullable(merge).map(MeasureMerge::openPanes),
                        partitions.stream().map(partition -> partition.measure().openPanes()))
                .toList();
        this.counts = MeasureCounts.sum(
                partitions.stream()
                        .map(partition -> partition.measure().counts())
                        .toList(),
                merge == null ? List.of() : List.of(merge.late()));
    }

    /**
     * Returns the measures of a pipeline.
     *
     * @param partitions for each partition, the processors of all measures
     */
    public static List<RunningMeasure> of(List<List<MeasureProcessor>> partitions) {
        return IntStream.range(0, partitions.getFirst().size())
                .mapToObj(i -> new RunningMeasure(
                        partitions.stream().map(measures -> measures.get(i)).toList()))
                .toList();
    }

    private Measure first() {
        return partitions.getFirst().measure();
    }

    /**
     * Returns whether the stored rows contain everything of event time that the partitions of this process have closed.
     */
    public boolean merged() {
        MeasureMerge merge = partitions.getFirst().merge();
        if (merge == null || plan().time() == null) {
            return true;
        }
        boolean allStored = IntStream.range(0, partitions.size())
                .allMatch(i -> merge.stored(i) >= partitions.get(i).entries());
        return allStored && merge.windowsClosed();
    }

    /** Returns the plan of the measure. */
    public MeasurePlan plan() {
        return first().plan();
    }

    /**
     * Returns the record counters. A record of an idle partition whose window was closed without it is in two of them:
     * it was counted, and was late.
     */
    public MeasureCounts counts() {
        return counts;
    }

    /** Returns why the first record since the start could not be measured, or null if all could. */
    public @Nullable String firstFailure() {
        return partitions.stream()
                .map(partition -> partition.measure().firstFailure())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns the number of groups of the newest pane; of several partitions, the sum of theirs. */
    public int groups() {
        return partitions.stream()
                .mapToInt(partition -> partition.measure().groups())
                .sum();
    }

    /**
     * Returns the open window of the latest record so far, or null if there is none. Of several partitions, those of
     * this process are read one after the other; panes that are on their way from one of them to the others are
     * missing.
     *
     * @param limit maximum number of groups, 1 or more; fewer are returned if that many need too many visits
     */
    public @Nullable OpenWindow current(int limit) {
        return open.size() == 1 ? first().current(limit) : OpenPanes.merged(open, rows, plan(), limit);
    }

    /** Returns the most recently closed windows, newest first: 60 at most, and fewer if they have many rows. */
    public List<Window> closedWindows() {
        return rows.windows();
    }

    /**
     * Returns the raised alerts as of the window that closed last, in the order of the alerts: up to 10,000 groups
     * each.
     */
    public List<AlertEvent> raised() {
        return rows.alerts().raised();
    }

    /**
     * Returns the number of groups for which an alert is raised.
     *
     * @param alert index of the alert in the plan
     */
    public Counter raised(int alert) {
        return rows.alerts().raised(alert);
    }

    /**
     * Returns how often an alert was not evaluated for a group because the maximum number of groups is tracked already.
     *
     * @param alert index of the alert in the plan
     */
    public Counter missed(int alert) {
        return rows.alerts().missed(alert);
    }

    /** Adds a listener, which is called on the thread that closes windows. */
    public void listen(MeasureListener listener) {
        partitions.getFirst().listen(listener);
    }
}
