package io.millrace.store.geode.cache;

/**
 * The memory that Geode may use in a process that stores data.
 *
 * @param criticalHeapPercentage percentage of the heap in use from which on writes are refused; 0 for never. Also
 *     applies to off-heap memory, whose limit is 90 if this is 0
 * @param offHeapMegabytes off-heap memory for the values of off-heap regions; 0 for none
 */
public record GeodeMemory(float criticalHeapPercentage, int offHeapMegabytes) {

    /** No off-heap memory, and no limit on the heap. */
    public static final GeodeMemory HEAP = new GeodeMemory(0, 0);

    /**
     * Below 100, because Geode leaves its cluster permanently when off-heap memory is exhausted: puts must be refused
     * before that.
     */
    private static final float OFF_HEAP_CRITICAL_AT = 90;

    /** Returns the percentage of the off-heap memory in use from which on writes are refused. */
    float offHeapCriticalAt() {
        return criticalHeapPercentage > 0 ? criticalHeapPercentage : OFF_HEAP_CRITICAL_AT;
    }
}
