package io.millrace.measure;

import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The open panes of one partition, or those of all partitions that are merged, as other threads read them. Thread-safe.
 *
 * @param reads runs what reads them
 * @param panes returns the panes
 * @param latest returns the latest event time, in milliseconds since 1970
 */
record OpenPanes(BatchReads reads, Supplier<Panes> panes, LongSupplier latest) {

    /**
     * The newest pane.
     *
     * @param pane its start, in milliseconds since 1970
     * @param millis the latest event time
     */
    record Newest(long pane, long millis) {}

    /** Returns the newest pane, or null if there is none. */
    @Nullable
    Newest newest() {
        return reads.run(() -> {
            Pane newest = panes.get().newest();
            return newest == null ? null : new Newest(newest.start(), latest.getAsLong());
        });
    }

    /** Adds the keys of the panes in the time of a copy to it, without their values. */
    void copyKeys(Pane copy, int maxGroups) {
        read(all -> copy.addKeys(all.within(copy.start(), copy.end()), maxGroups));
    }

    /**
     * Adds the values of the panes in the time of a copy to those of its groups.
     *
     * @param others whether to add those of the groups over the limit too
     */
    void copyValues(Pane copy, boolean others) {
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
