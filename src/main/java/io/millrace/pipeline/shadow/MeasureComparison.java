package io.millrace.pipeline.shadow;

import io.millrace.background.SteadyClock;
import io.millrace.measure.AlertEvent;
import io.millrace.measure.plan.AlertPlan;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Window;
import io.millrace.measure.run.MeasureListener;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.pipeline.shadow.MeasureReport.AlertExample;
import io.millrace.pipeline.shadow.MeasureReport.AlertReport;
import io.millrace.pipeline.shadow.MeasureReport.Changes;
import io.millrace.pipeline.shadow.MeasureReport.RowExample;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares the rows and alerts that a measure computes by two versions of the rules. Both must run on the same records.
 * Not thread-safe.
 */
final class MeasureComparison {

    /** Limits memory: each version of the rules has its own groups. */
    static final long OPEN_GROUPS = 1_000_000;

    /** Bytes of rows of one version that wait for the same windows of the other one. */
    static final long WAITING_BYTES = 64 << 20;

    private static final int EXAMPLES = 5;

    private final MeasurePlan plan;
    private final Side live;
    private final Side candidate;
    private final Map<RowDifference, Long> differences = new EnumMap<>(RowDifference.class);
    private final List<RowExample> examples = new ArrayList<>();
    private final Map<String, AlertCounts> alerts = new LinkedHashMap<>();
    private final long openGroups;
    private final long waitingBytes;
    private long same;
    private long skipped;
    private @Nullable String problem;

    /** A closed window, with the changes of alerts that it has caused. */
    private record Closing(Window window, List<AlertEvent> events) {}

    /** A change of an alert's state in a window. */
    private record Change(String alert, boolean raised, List<@Nullable Object> group) {}

    /** How often an alert is raised, or cleared. */
    private static final class ChangeCounts {
        private long same;
        private long fresh;
        private long missing;

        Changes changes() {
            return new Changes(same, fresh, missing);
        }
    }

    /** Changes of an alert. */
    private static final class AlertCounts {
        private final ChangeCounts raised = new ChangeCounts();
        private final ChangeCounts cleared = new ChangeCounts();
        private final List<AlertExample> examples = new ArrayList<>();

        ChangeCounts of(AlertEvent event) {
            return event.raised() ? raised : cleared;
        }
    }

    /** The measure by one version of the rules. */
    private final class Side implements MeasureListener {

        private final RowDifference alone;
        private final MeasureProcessor processor;
        private final NavigableMap<Long, Closing> waiting = new TreeMap<>();
        private long waitingLength;
        private @Nullable Closing current;
        /** Start of the last window that was not compared. */
        private long skippedUpTo = Long.MIN_VALUE;

        /** @param alone what a row is that only this version has */
        Side(MeasurePlan plan, RowDifference alone) {
            this.alone = alone;
            processor = MeasureProcessor.withoutStore(plan, SteadyClock.SYSTEM);
            processor.listen(this);
        }

        @Override
        public void closed(MeasurePlan closedPlan, Window window) {
            if (runs()) {
                compareCurrent();
                current = new Closing(window, new ArrayList<>());
            }
        }

        /** Called after the window that has caused the change. */
        @Override
        public void alert(AlertEvent event) {
            Closing closing = current;
            if (closing != null) {
                closing.events().add(event);
            }
        }

        void compareCurrent() {
            Closing closing = current;
            current = null;
            if (closing != null) {
                compare(this, closing);
            }
        }

        void await(Closing closing) {
            waiting.put(closing.window().start(), closing);
            waitingLength += closing.window().rows().length;
            while (waitingLength > waitingBytes) {
                skippedUpTo = waiting.firstKey();
                Closing first = remove(skippedUpTo);
                skipped += first == null ? 0 : first.window().count();
            }
        }

        @Nullable
        Closing remove(long start) {
            Closing closing = waiting.remove(start);
            waitingLength -= closing == null ? 0 : closing.window().rows().length;
            return closing;
        }

        /** Counts the windows that the other version does not have, because it has closed later ones. */
        void aloneBefore(long start) {
            while (!waiting.isEmpty() && waiting.firstKey() < start) {
                Closing closing = remove(waiting.firstKey());
                if (closing != null) {
                    alone(this, closing);
                }
            }
        }

        void discard() {
            processor.discard();
            waiting.clear();
            waitingLength = 0;
            current = null;
        }
    }

    /**
     * Creates an empty comparison.
     *
     * @param live measure of the live rules
     * @param candidate the same measure of the candidate
     * @param inOrder whether records come in the order of the feed; in any other order, none of them is late
     */
    MeasureComparison(MeasurePlan live, MeasurePlan candidate, boolean inOrder) {
        this(live, candidate, inOrder, OPEN_GROUPS, WAITING_BYTES);
    }

    MeasureComparison(MeasurePlan live, MeasurePlan candidate, boolean inOrder, long openGroups, long waitingBytes) {
        this.plan = live;
        this.openGroups = openGroups;
        this.waitingBytes = waitingBytes;
        this.live = new Side(inOrder ? live : live.inAnyOrder(), RowDifference.MISSING);
        this.candidate = new Side(inOrder ? candidate : candidate.inAnyOrder(), RowDifference.NEW);
        for (RowDifference difference : RowDifference.values()) {
            differences.put(difference, 0L);
        }
        for (AlertPlan alert : live.alerts()) {
            alerts.put(alert.name(), new AlertCounts());
        }
        if (!live.usesEventTime()) {
            problem = "It has no 'time': its windows are those in which records were processed.";
        }
    }

    /** Returns whether it takes records, and therefore needs to be a part of the steps. */
    boolean runs() {
        return problem == null;
    }

    MeasureProcessor live() {
        return live.processor;
    }

    MeasureProcessor candidate() {
        return candidate.processor;
    }

    /** Ends the comparison if it needs too much memory. Called after each batch. */
    void limit() {
        if (live.processor.openGroups() <= openGroups && candidate.processor.openGroups() <= openGroups) {
            return;
        }
        live.discard();
        candidate.discard();
        if (runs()) {
            problem = "Its open windows have more than " + openGroups + " groups. Choose fewer records.";
            same = 0;
            skipped = 0;
            differences.replaceAll((_, _) -> 0L);
            examples.clear();
            alerts.replaceAll((_, _) -> new AlertCounts());
        }
    }

    /** Closes all windows, and compares the rest. */
    void end() {
        if (!runs()) {
            return;
        }
        live.processor.end(0);
        candidate.processor.end(0);
        live.compareCurrent();
        candidate.compareCurrent();
        live.aloneBefore(Long.MAX_VALUE);
        candidate.aloneBefore(Long.MAX_VALUE);
    }

    /**
     * Compares a window of one version with that of the other one, which may close later. Each closes them in order.
     */
    private void compare(Side side, Closing closing) {
        Side other = side.equals(live) ? candidate : live;
        long start = closing.window().start();
        other.aloneBefore(start);
        Closing matching = other.remove(start);
        if (matching != null) {
            both(side.equals(live) ? closing : matching, side.equals(live) ? matching : closing);
        } else if (start <= other.skippedUpTo) {
            skipped += closing.window().count();
        } else {
            side.await(closing);
        }
    }

    private void both(Closing before, Closing after) {
        Window old = before.window();
        Window now = after.window();
        Map<ByteBuffer, Integer> rows = new HashMap<>();
        for (int row = 0; row < old.count(); row++) {
            rows.put(plan.group(old, row), row);
        }
        for (int row = 0; row < now.count(); row++) {
            Integer match = rows.remove(plan.group(now, row));
            if (match == null) {
                count(RowDifference.NEW, null, 0, now, row);
            } else if (plan.same(old, match, now, row)) {
                same++;
            } else {
                count(RowDifference.OTHER_VALUES, old, match, now, row);
            }
        }
        rows.values().stream().sorted().forEach(row -> count(RowDifference.MISSING, old, row, null, 0));
        changes(before.events(), after.events());
    }

    private void alone(Side side, Closing closing) {
        Window window = closing.window();
        for (int row = 0; row < window.count(); row++) {
            if (side.alone == RowDifference.NEW) {
                count(RowDifference.NEW, null, 0, window, row);
            } else {
                count(RowDifference.MISSING, window, row, null, 0);
            }
        }
        closing.events().forEach(event -> change(side.alone, event));
    }

    private void count(
            RowDifference difference, @Nullable Window before, int beforeRow, @Nullable Window after, int afterRow) {
        long found = differences.merge(difference, 1L, Long::sum);
        if (found <= EXAMPLES) {
            examples.add(new RowExample(
                    difference,
                    before == null ? null : plan.decode(before, beforeRow),
                    after == null ? null : plan.decode(after, afterRow)));
        }
    }

    private void changes(List<AlertEvent> before, List<AlertEvent> after) {
        Map<Change, AlertEvent> unmatched = new LinkedHashMap<>();
        before.forEach(event -> unmatched.put(change(event), event));
        for (AlertEvent event : after) {
            if (unmatched.remove(change(event)) == null) {
                change(RowDifference.NEW, event);
            } else {
                counts(event).of(event).same++;
            }
        }
        unmatched.values().forEach(event -> change(RowDifference.MISSING, event));
    }

    private void change(RowDifference difference, AlertEvent event) {
        AlertCounts counts = counts(event);
        if (difference == RowDifference.NEW) {
            counts.of(event).fresh++;
        } else {
            counts.of(event).missing++;
        }
        if (counts.examples.size() < EXAMPLES) {
            counts.examples.add(new AlertExample(difference, event.raised(), event.at(), event.row()));
        }
    }

    private AlertCounts counts(AlertEvent event) {
        return Objects.requireNonNull(alerts.get(event.alert()));
    }

    private Change change(AlertEvent event) {
        List<@Nullable Object> group = new ArrayList<>();
        for (String key : plan.keyNames()) {
            Object value = event.row().get(key);
            group.add(value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value);
        }
        return new Change(event.alert(), event.raised(), group);
    }

    /** Returns the result. */
    MeasureReport report() {
        List<AlertReport> byAlert = alerts.entrySet().stream()
                .map(alert -> new AlertReport(
                        alert.getKey(),
                        alert.getValue().raised.changes(),
                        alert.getValue().cleared.changes(),
                        List.copyOf(alert.getValue().examples)))
                .toList();
        return new MeasureReport(
                plan.name(), problem, same, new EnumMap<>(differences), skipped, byAlert, List.copyOf(examples));
    }
}
