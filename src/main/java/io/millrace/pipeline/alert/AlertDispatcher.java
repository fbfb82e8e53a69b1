package io.millrace.pipeline.alert;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.measure.AlertEvent;
import io.millrace.measure.AlertListener;
import io.millrace.measure.run.MeasureListener;
import java.util.List;
import java.util.Map;

/** Passes the alerts of measures to the listeners of the application, without making a pipeline wait. Thread-safe. */
public final class AlertDispatcher implements MeasureListener, BackgroundTasks, AutoCloseable {

    private final List<AlertDelivery> deliveries;

    /** @param listeners by name */
    public AlertDispatcher(Map<String, AlertListener> listeners) {
        deliveries = listeners.entrySet().stream()
                .map(listener -> new AlertDelivery(listener.getKey(), listener.getValue()))
                .toList();
    }

    @Override
    public void alert(AlertEvent event) {
        deliveries.forEach(delivery -> delivery.add(event));
    }

    /** Returns one delivery for each listener. */
    public List<AlertDelivery> deliveries() {
        return deliveries;
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        return deliveries.stream().map(AlertDelivery::task).toList();
    }

    @Override
    public void close() {
        deliveries.forEach(AlertDelivery::close);
    }
}
