package io.millrace.metrics;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Time that garbage collection took since the start: pauses, in which the whole service stands still, apart from work
 * beside it.
 *
 * @param pauses how many there were
 * @param pauseMs all of them together, in milliseconds
 * @param concurrentMs work of the collector while the service ran on, in milliseconds
 */
public record GarbageCollection(long pauses, long pauseMs, long concurrentMs) {

    /** As of now. */
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

    /** ZGC and Shenandoah report whole cycles beside their pauses; G1 has a bean for what it does beside. */
    static boolean concurrent(GarbageCollectorMXBean bean) {
        return bean.getName().endsWith("Cycles") || bean.getName().contains("Concurrent");
    }

    /** What was added since an earlier moment. */
    public GarbageCollection since(GarbageCollection earlier) {
        return new GarbageCollection(
                pauses - earlier.pauses, pauseMs - earlier.pauseMs, concurrentMs - earlier.concurrentMs);
    }
}
