package io.millrace.web.measure;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.measure.AlertEvent;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Window;
import io.millrace.measure.run.MeasureListener;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.pipeline.Pipelines;
import io.millrace.web.stream.EventHub;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/** Listens to all measures, stores the last alerts, and publishes windows and alerts. Thread-safe. */
final class MeasureEvents implements ApplicationListener<ContextClosedEvent>, BackgroundTasks {

    private static final int ALERTS_KEPT = 1000;
    private static final int KEPT_FOR_SLOW = 16;

    private final Map<String, EventHub<Window>> windows = new HashMap<>();
    private final EventHub<AlertEvent> alerts = new EventHub<>("alerts", KEPT_FOR_SLOW);
    private final Deque<AlertEvent> lastAlerts = new ArrayDeque<>();

    MeasureEvents(Pipelines pipelines) {
        pipelines.all().stream()
                .flatMap(pipeline -> pipeline.measures().stream())
                .forEach(this::listenTo);
    }

    private void listenTo(RunningMeasure measure) {
        String name = measure.plan().name();
        EventHub<Window> hub = new EventHub<>("measure-" + name, KEPT_FOR_SLOW);
        windows.put(name, hub);
        measure.listen(new MeasureListener() {
            @Override
            public void closed(MeasurePlan plan, Window window) {
                hub.publish(window);
            }

            @Override
            public void alert(AlertEvent event) {
                addAlert(event);
                alerts.publish(event);
            }
        });
    }

    private void addAlert(AlertEvent event) {
        synchronized (lastAlerts) {
            lastAlerts.addFirst(event);
            if (lastAlerts.size() > ALERTS_KEPT) {
                lastAlerts.removeLast();
            }
        }
    }

    /** Returns the last alerts that were raised or cleared since the start, newest first. */
    List<AlertEvent> lastAlerts() {
        synchronized (lastAlerts) {
            return new ArrayList<>(lastAlerts);
        }
    }

    /** Returns the hub that publishes a measure's windows as they are closed. */
    EventHub<Window> windows(String measure) {
        return Objects.requireNonNull(windows.get(measure));
    }

    /** Returns the hub that publishes alerts as they are raised and cleared. */
    EventHub<AlertEvent> alerts() {
        return alerts;
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        return Stream.concat(Stream.of(alerts), windows.values().stream())
                .map(EventHub::task)
                .toList();
    }

    /** Ends the streams before the server waits for its responses to complete: streams do not end by themselves. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        windows.values().forEach(EventHub::close);
        alerts.close();
    }
}
