package io.millrace.measure.window;

import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.RowMaker;
import io.millrace.measure.plan.Window;
import io.millrace.measure.plan.Windows;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The open panes of one partition, or those of all partitions that are merged, as other threads read them. Thread-safe.
 *
 * @param reads runs what reads them
 * @param panes returns the panes
 * @param latest returns the latest event time, in milliseconds since 1970
 */
public record OpenPanes(BatchReads reads, Supplier<Panes> panes, LongSupplier latest) {

    /**
     * The newest pane.
     *
     * @param pane its start, in milliseconds since 1970
     * @param millis the latest event time
     */
    private record Newest(long pane, long millis) {}

    /** Returns the newest pane, or null if there is none. */
    private @Nullable Newest newest() {
        return reads.run(() -> {
            Pane newest = panes.get().newest();
            return newest == null ? null : new Newest(newest.start(), latest.getAsLong());
        });
    }

    /**
     * Returns the open window of the latest record, or null if there is none. Panes of one partition are read after
     * those of another, not at one moment.
     *
     * @param open those of all partitions, and those that are merged
     * @param rows what has made the rows of the windows before
     * @param limit maximum number of groups, 1 or more
     */
    public static @Nullable OpenWindow merged(List<OpenPanes> open, ClosedRows rows, MeasurePlan plan, int limit) {
        List<Newest> newest = open.stream()
                .flatMap(source -> Stream.ofNullable(source.newest()))
                .toList();
        if (newest.isEmpty()) {
            return null;
        }
        Windows windows = plan.definition().windows();
        long pane = newest.stream().mapToLong(Newest::pane).max().orElseThrow();
        long latest = newest.stream().mapToLong(Newest::millis).max().orElseThrow();
        long end = windows.endOf(pane);
        Pane copy = new Pane(plan);
        copy.begin(windows.startOfWindow(end), end);
        int visits = Panes.visits(plan) / (open.size() * windows.panes());
        int groups = Math.min(Math.min(limit, plan.definition().groups()), Math.max(1, visits));
        // First the keys of all sources: what one of them has of a group is nothing without the others.
        open.forEach(source -> source.copyKeys(copy, groups));
        boolean whole = copy.groups().size() < groups;
        open.forEach(source -> source.copyValues(copy, whole));
        Window made = new RowMaker(plan)
                .make(copy, copy.start(), OpenWindows.seconds(copy, latest), rows.rows(), RowMaker.Reader.NONE);
        return new OpenWindow(made, whole ? made.count() : null);
    }

    /** Adds the keys of the panes in the time of a copy to it, without their values. */
    private void copyKeys(Pane copy, int maxGroups) {
        read(all -> copy.addKeys(all.within(copy.start(), copy.end()), maxGroups));
    }

    /**
     * Adds the values of the panes in the time of a copy to those of its groups.
     *
     * @param others whether to add those of the groups over the limit too
     */
    private void copyValues(Pane copy, boolean others) {
        read(all -> copy.mergeKnown(all.within(copy.start(), copy.end()), others));
    }

    private void read(Consumer<Panes> read) {
        Callable<@Nullable Object> task = () -> {
            read.accept(panes.get());
            return null;
        };
        reads.run(task);
    }
}
