package io.millrace.metrics;

/**
 * A pause of the garbage collector, in which the whole service stood still.
 *
 * @param time when it ended, in milliseconds since 1970
 * @param millis how long it took, to the millisecond: a pause of less is 0
 * @param kind the collector's own name for it, such as {@code G1 Young Generation}
 */
public record CollectorPause(long time, double millis, String kind) {}
