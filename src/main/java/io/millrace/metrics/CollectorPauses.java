package io.millrace.metrics;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import io.millrace.background.BackgroundTask;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/** Collects GC pauses until it is closed. Thread-safe. */
final class CollectorPauses implements NotificationListener, AutoCloseable {

    /** More pauses than a second can have. Bounds the memory if nobody takes them. */
    private static final int MAX_PAUSES = 1000;

    private final long jvmStarted = ManagementFactory.getRuntimeMXBean().getStartTime();
    private final BackgroundTask task = new BackgroundTask("gc-notifications");
    private final List<NotificationEmitter> emitters;
    private final Deque<CollectorPause> ended = new ArrayDeque<>();

    CollectorPauses() {
        emitters = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(bean -> !GarbageCollection.concurrent(bean))
                .filter(NotificationEmitter.class::isInstance)
                .map(NotificationEmitter.class::cast)
                .toList();
        emitters.forEach(emitter -> emitter.addNotificationListener(this, null, null));
    }

    /** Returns the task that processes notifications, for health checks. */
    BackgroundTask task() {
        return task;
    }

    @Override
    public void handleNotification(Notification notification, @Nullable Object handback) {
        task.run(() -> take(notification));
    }

    private void take(Notification notification) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            GarbageCollectionNotificationInfo info =
                    GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
            GcInfo pause = info.getGcInfo();
            add(new CollectorPause(jvmStarted + pause.getEndTime(), pause.getDuration(), info.getGcName()));
        }
    }

    private synchronized void add(CollectorPause pause) {
        if (ended.size() == MAX_PAUSES) {
            ended.removeFirst();
        }
        ended.addLast(pause);
    }

    /** Returns the pauses that have ended since the last call, oldest first. */
    synchronized List<CollectorPause> take() {
        List<CollectorPause> taken = new ArrayList<>(ended);
        ended.clear();
        return taken;
    }

    @Override
    public void close() {
        for (NotificationEmitter emitter : emitters) {
            try {
                emitter.removeNotificationListener(this);
            } catch (ListenerNotFoundException _) {
                // already closed
            }
        }
    }
}
