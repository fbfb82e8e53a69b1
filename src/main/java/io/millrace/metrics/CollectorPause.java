package io.millrace.metrics;

/**
 * A GC pause, which stops the whole service.
 *
 * @param time end of the pause, in milliseconds since 1970
 * @param millis duration in whole milliseconds; 0 for a shorter pause
 * @param kind name that the collector has for it, such as {@code G1 Young Generation}
 */
public record CollectorPause(long time, double millis, String kind) {}
