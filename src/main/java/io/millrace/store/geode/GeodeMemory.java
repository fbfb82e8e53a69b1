package io.millrace.store.geode;

/**
 * How much memory Geode may use in a process that keeps data.
 *
 * @param criticalHeapPercentage percent of the heap in use from which on nothing more is taken; 0 for never. Also of
 *     the memory off the heap, which has a bound at 90 where this is 0
 * @param offHeapMegabytes memory for the values of regions that are off the heap; 0 for none
 */
public record GeodeMemory(float criticalHeapPercentage, int offHeapMegabytes) {

    /** Nothing off the heap, and no bound in it. */
    public static final GeodeMemory HEAP = new GeodeMemory(0, 0);

    /** Geode leaves its cluster for good where memory off the heap runs out: puts must be refused before. */
    private static final float OFF_HEAP_CRITICAL_AT = 90;

    /** Percent of the memory off the heap in use from which on nothing more is taken. */
    float offHeapCriticalAt() {
        return criticalHeapPercentage > 0 ? criticalHeapPercentage : OFF_HEAP_CRITICAL_AT;
    }
}
