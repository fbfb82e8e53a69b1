package io.millrace.metrics;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * The time that garbage collection has taken since the start: pauses, which stop the whole service, and concurrent
 * work.
 *
 * @param pauses number of pauses
 * @param pauseMs total duration of the pauses, in milliseconds
 * @param concurrentMs time that the collector worked concurrently with the service, in milliseconds
 */
public record GarbageCollection(long pauses, long pauseMs, long concurrentMs) {

    /** Returns the current totals. */
    public static GarbageCollection now() {
        List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans();
        return new GarbageCollection(
                beans.stream()
                        .filter(bean -> !concurrent(bean))
                        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                        .sum(),
                beans.stream()
                        .filter(bean -> !concurrent(bean))
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum(),
                beans.stream()
                        .filter(GarbageCollection::concurrent)
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum());
    }

    /**
     * Returns whether a bean reports concurrent work. ZGC and Shenandoah report whole cycles in addition to their
     * pauses; G1 has a separate bean for concurrent work.
     */
    static boolean concurrent(GarbageCollectorMXBean bean) {
        return bean.getName().endsWith("Cycles") || bean.getName().contains("Concurrent");
    }

    /** Returns the difference to an earlier total. */
    public GarbageCollection since(GarbageCollection earlier) {
        return new GarbageCollection(
                pauses - earlier.pauses, pauseMs - earlier.pauseMs, concurrentMs - earlier.concurrentMs);
    }
}
