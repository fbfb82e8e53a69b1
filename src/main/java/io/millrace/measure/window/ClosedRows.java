package io.millrace.measure.window;

import io.millrace.codec.Counter;
import io.millrace.measure.alert.AlertChanges;
import io.millrace.measure.alert.AlertWatches;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.RowMaker;
import io.millrace.measure.plan.Window;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes rows of windows that close, and evaluates the alerts for them. Not thread-safe, except for the alerts, the
 * closed windows and the number of rows.
 */
public final class ClosedRows implements OpenWindows.Closing {

    private static final double MILLIS_A_SECOND = 1000;

    private final RowMaker rowMaker;
    private final AlertWatches alerts;
    private final Consumer<Closed> closed;
    private final ClosedWindows history = new ClosedWindows();
    private final Counter rows = new Counter();

    /**
     * A closed window.
     *
     * @param window its rows
     * @param changes events of the measure's alerts
     */
    public record Closed(Window window, List<AlertChanges> changes) {}

    /** @param closed receives the rows of each window */
    public ClosedRows(MeasurePlan plan, Consumer<Closed> closed) {
        this.rowMaker = new RowMaker(plan);
        this.alerts = new AlertWatches(plan);
        this.closed = closed;
    }

    /** Returns the alerts on the rows. */
    public AlertWatches alerts() {
        return alerts;
    }

    /** Returns the most recently closed windows, newest first. */
    public List<Window> windows() {
        return history.newestFirst();
    }

    /** Returns the number of rows so far. */
    public long rows() {
        return rows.get();
    }

    @Override
    public void window(long start, Pane window) {
        long end = window.end();
        double seconds = (end - start) / MILLIS_A_SECOND;
        Window made = rowMaker.make(window, start, seconds, rows.get(), batch -> alerts.rows(batch, start, end));
        rows.add(made.count());
        history.add(made);
        closed.accept(new Closed(made, alerts.endWindow(end)));
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeLong(rows.get());
        alerts.write(out);
    }

    @Override
    public void read(DataInput in) throws IOException {
        rows.set(in.readLong());
        alerts.read(in);
    }

    @Override
    public void clear() {
        alerts.clear();
        history.clear();
        rows.set(0);
    }
}
