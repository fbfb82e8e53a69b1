package io.millrace.metrics;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/**
 * What this process uses at one moment.
 *
 * @param heapUsed bytes of the heap that hold objects, garbage among them
 * @param heapCommitted bytes that the heap has of the machine's memory
 * @param heapMax bytes that the heap may have; -1 where nothing bounds it
 * @param cpu share of all the machine's processors that this process had since it was asked last, 0 to 1; negative
 *     where that is not known
 * @param processors how many there are
 */
public record ProcessSample(long heapUsed, long heapCommitted, long heapMax, double cpu, int processors) {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** As of now. */
    static ProcessSample now() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        return new ProcessSample(
                heap.getUsed(),
                heap.getCommitted(),
                heap.getMax(),
                SYSTEM.getProcessCpuLoad(),
                SYSTEM.getAvailableProcessors());
    }
}
