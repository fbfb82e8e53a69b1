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

/** Hears of the collector's pauses until it is closed. Thread-safe. */
final class CollectorPauses implements NotificationListener, AutoCloseable {

    /** More than a second has room for; whoever forgets to take them does not fill the memory. */
    private static final int KEPT = 1000;

    private final long jvmStarted = ManagementFactory.getRuntimeMXBean().getStartTime();
    private final BackgroundTask task = new BackgroundTask("gc-notifications");
    private final List<NotificationEmitter> heard;
    private final Deque<CollectorPause> ended = new ArrayDeque<>();

    CollectorPauses() {
        heard = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(bean -> !GarbageCollection.concurrent(bean))
                .filter(NotificationEmitter.class::isInstance)
                .map(NotificationEmitter.class::cast)
                .toList();
        heard.forEach(emitter -> emitter.addNotificationListener(this, null, null));
    }

    /** Returns what takes the notifications, for health checks. */
    BackgroundTask task() {
        return task;
    }

    @Override
    public void handleNotification(Notification notification, @Nullable Object handback) {
        task.run(() -> take(notification));
    }

    private void take(Notification notification) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            GarbageCollectionNotificationInfo told =
                    GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
            GcInfo pause = told.getGcInfo();
            add(new CollectorPause(jvmStarted + pause.getEndTime(), pause.getDuration(), told.getGcName()));
        }
    }

    private synchronized void add(CollectorPause pause) {
        if (ended.size() == KEPT) {
            ended.removeFirst();
        }
        ended.addLast(pause);
    }

    /** The pauses that have ended since they were taken last, oldest first. */
    synchronized List<CollectorPause> take() {
        List<CollectorPause> taken = new ArrayList<>(ended);
        ended.clear();
        return taken;
    }

    @Override
    public void close() {
        for (NotificationEmitter emitter : heard) {
            try {
                emitter.removeNotificationListener(this);
            } catch (ListenerNotFoundException _) {
                // closed before
            }
        }
    }
}
