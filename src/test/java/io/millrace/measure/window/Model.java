package io.millrace.measure.window;

import io.millrace.measure.plan.Calls.Call;
import io.millrace.measure.plan.Windows;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a measure by cell and district shall tell, worked out record by record with plain collections. */
public final class Model {

    private final Windows windows;
    private final long lateness;
    private final int limit;
    private final long now;
    private final SortedMap<Long, Pane> panes = new TreeMap<>();
    private long latest = Long.MIN_VALUE;
    public long late;
    public long ahead;
    public long failed;
    public long counted;

    public Model(Windows windows, long lateness, int limit, long now) {
        this.windows = windows;
        this.lateness = lateness;
        this.limit = limit;
        this.now = now;
    }

    /** What makes a group. */
    public record By(@Nullable Integer cell, String district) {}

    /** What is reported about a group. */
    public static final class Group {
        public long calls;
        long dropped;
        BigInteger cents = BigInteger.ZERO;
        public long costs;

        @Nullable
        Long least;

        @Nullable
        Long most;

        final List<Double> volumes = new ArrayList<>();

        void take(Call call) {
            calls++;
            dropped += call.dropped() ? 1 : 0;
            Long paid = call.cents();
            if (paid != null) {
                cents = cents.add(BigInteger.valueOf(paid));
                costs++;
                least = least == null ? paid : Math.min(least, paid);
                most = most == null ? paid : Math.max(most, paid);
            }
            if (call.volume() != null) {
                volumes.add(call.volume());
            }
        }

        void merge(Group other) {
            calls += other.calls;
            dropped += other.dropped;
            cents = cents.add(other.cents);
            costs += other.costs;
            least = least == null
                    ? other.least
                    : other.least == null ? least : Long.valueOf(Math.min(least, other.least));
            most = most == null ? other.most : other.most == null ? most : Long.valueOf(Math.max(most, other.most));
            volumes.addAll(other.volumes);
        }

        public BigDecimal cost() {
            return new BigDecimal(cents, 2);
        }
    }

    /** Groups in the order in which they came; what is past the limit apart. */
    public static final class Pane {
        public final Map<By, Group> groups = new LinkedHashMap<>();
        public final Group others = new Group();

        Group group(By key, int limit) {
            return groups.size() < limit || groups.containsKey(key)
                    ? groups.computeIfAbsent(key, ignored -> new Group())
                    : others;
        }
    }

    public void take(Call call) {
        Long time = call.time();
        if (time == null) {
            failed++;
            return;
        }
        if (time >= now + Math.max(60_000, lateness)) {
            ahead++;
            return;
        }
        long start = windows.startOf(time);
        if (latest != Long.MIN_VALUE && windows.endOf(start) + lateness <= latest) {
            late++;
            return;
        }
        latest = Math.max(latest, time);
        counted++;
        panes.computeIfAbsent(start, ignored -> new Pane())
                .group(new By(call.cell(), call.district()), limit)
                .take(call);
    }

    /** All windows that are closed by now, oldest first, by their ends. */
    public SortedMap<Long, Pane> closed() {
        SortedMap<Long, Pane> closed = new TreeMap<>();
        for (long start : panes.keySet()) {
            long end = windows.endOf(start);
            for (int i = 0; i < windows.panes() && end + lateness <= latest; i++) {
                closed.put(end, window(end));
                end = windows.endOf(end);
            }
        }
        return closed;
    }

    /** No further records follow: closes each window that has a record. */
    public void end() {
        if (!panes.isEmpty()) {
            latest = Math.max(latest, lastEnd() + lateness);
        }
    }

    /** The end of the last window that contains the newest pane. */
    private long lastEnd() {
        long end = windows.endOf(panes.lastKey());
        for (int i = 1; i < windows.panes(); i++) {
            end = windows.endOf(end);
        }
        return end;
    }

    /** The end of the first window with the newest pane that is not closed; null if all windows are closed. */
    public @Nullable Long currentEnd() {
        if (panes.isEmpty() || lastEnd() + lateness <= latest) {
            return null;
        }
        long end = windows.endOf(panes.lastKey());
        while (end + lateness <= latest) {
            end = windows.endOf(end);
        }
        return end;
    }

    /** The open window. */
    public Pane current() {
        return window(Objects.requireNonNull(currentEnd()));
    }

    private Pane window(long end) {
        long start = end;
        for (int i = 0; i < windows.panes(); i++) {
            start = windows.startOf(start - 1);
        }
        Pane window = new Pane();
        for (Pane pane : panes.subMap(start, end).values()) {
            window.others.merge(pane.others);
            pane.groups.forEach((key, group) -> window.group(key, limit).merge(group));
        }
        return window;
    }
}
