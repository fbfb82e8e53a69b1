package io.millrace.measure.alert;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.measure.AlertEvent;
import io.millrace.measure.plan.AlertPlan;
import io.millrace.measure.plan.MeasurePlan;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/** The alerts of a measure. Not thread-safe, except that any thread may read the raised alerts and the counters. */
public final class AlertWatches {

    private final String measure;
    private final List<AlertWatch> alerts;

    /** Creates the alerts of a measure, none of which is raised. */
    public AlertWatches(MeasurePlan plan) {
        this.measure = plan.name();
        this.alerts =
                plan.alerts().stream().map(alert -> new AlertWatch(plan, alert)).toList();
    }

    /** Evaluates alerts of the same names by other conditions from now on. */
    public void use(List<AlertPlan> plans) {
        for (int i = 0; i < plans.size(); i++) {
            alerts.get(i).use(plans.get(i));
        }
    }

    /** Evaluates the alerts for rows of a closed window. */
    public void rows(RecordBatch batch, long start, long end) {
        alerts.forEach(alert -> alert.rows(batch, start, end));
    }

    /** Returns what the rows of a window have changed, by alert. */
    public List<AlertChanges> endWindow(long end) {
        return alerts.stream().map(alert -> alert.endWindow(end)).toList();
    }

    /** Returns the raised alerts as of the window that closed last, in the order of the alerts. */
    public List<AlertEvent> raised() {
        return alerts.stream()
                .flatMap(alert ->
                        alert.standing().stream().map(record -> alert.plan().event(measure, record)))
                .toList();
    }

    /** Returns the number of groups for which an alert is raised. */
    public Counter raised(int alert) {
        return alerts.get(alert).raised();
    }

    /** Returns how often an alert was not evaluated for a group. */
    public Counter missed(int alert) {
        return alerts.get(alert).missed();
    }

    /** Discards the state of all groups. */
    public void clear() {
        alerts.forEach(AlertWatch::clear);
    }

    /** Writes the number of alerts; for each, its name, the length of its state in bytes, and the state. */
    public void write(DataOutput out) throws IOException {
        out.writeInt(alerts.size());
        for (AlertWatch alert : alerts) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            alert.write(new DataOutputStream(bytes));
            out.writeUTF(alert.plan().name());
            out.writeInt(bytes.size());
            out.write(bytes.toByteArray());
        }
    }

    /**
     * Restores what {@link #write} wrote. The state of an alert that is no longer configured is discarded; a new alert
     * starts empty.
     */
    public void read(DataInput in) throws IOException {
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            String name = in.readUTF();
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            for (AlertWatch alert : alerts) {
                if (alert.plan().name().equals(name)) {
                    alert.read(new DataInputStream(new ByteArrayInputStream(bytes)));
                }
            }
        }
    }
}
