package io.millrace.measure.run;

import io.millrace.measure.AlertEvent;
import io.millrace.measure.alert.AlertChanges;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Window;
import io.millrace.measure.window.ClosedRows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Passes closed windows to the outbox and to listeners, outside the lock of the measure that has closed them. Not
 * thread-safe, except for {@link #listen}.
 */
final class Publisher {

    /** The name of the measure's rows in the outbox. No alert has this name. */
    static final String ROWS = "";

    private final Supplier<MeasurePlan> plan;
    private final Outbox outbox;
    private final List<MeasureListener> listeners = new CopyOnWriteArrayList<>();
    private final List<ClosedRows.Closed> closed = new ArrayList<>();

    /** @param plan returns the current plan of the measure */
    Publisher(Supplier<MeasurePlan> plan, Outbox outbox) {
        this.plan = plan;
        this.outbox = outbox;
    }

    void listen(MeasureListener listener) {
        listeners.add(listener);
    }

    /** Takes a closed window, to be published. */
    void add(ClosedRows.Closed one) {
        closed.add(one);
    }

    /** Discards what was not published. */
    void clear() {
        closed.clear();
    }

    /** Publishes the windows that were added. Returns whether there were any. */
    boolean publish() {
        if (closed.isEmpty()) {
            return false;
        }
        MeasurePlan current = plan.get();
        for (ClosedRows.Closed one : closed) {
            Window window = one.window();
            outbox.add(ROWS, window.firstRow(), window.count(), window.rows());
            listeners.forEach(listener -> listener.closed(current, window));
            one.changes().forEach(changes -> publish(current, changes));
        }
        closed.clear();
        return true;
    }

    private void publish(MeasurePlan current, AlertChanges changes) {
        long number = changes.first();
        for (byte[] record : changes.records()) {
            outbox.add(changes.alert().name(), number++, 1, record);
            AlertEvent event = changes.alert().event(current.name(), record);
            listeners.forEach(listener -> listener.alert(event));
        }
    }
}
