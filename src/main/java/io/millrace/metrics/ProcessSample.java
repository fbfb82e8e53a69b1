package io.millrace.metrics;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/**
 * The resources that this process uses at one moment.
 *
 * @param heapUsed bytes of the heap that contain objects, including garbage
 * @param heapCommitted bytes of memory committed for the heap
 * @param heapMax maximum size of the heap in bytes, or -1 if there is none
 * @param cpu share of all processors that this process has used since the previous sample, from 0 to 1; negative if
 *     unknown
 * @param processors number of processors
 */
public record ProcessSample(long heapUsed, long heapCommitted, long heapMax, double cpu, int processors) {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** Returns the current values. */
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
