package io.millrace.nemesis.history;

/**
 * A read of a part of a set.
 *
 * @param reader who has answered
 * @param from the first element that it may contain
 * @param to the element behind the last one that it may contain
 * @param elements what it contains, in any order, perhaps some of them twice
 * @param invoked when it was called, in nanoseconds of {@link System#nanoTime}
 * @param returned when it returned
 */
public record SetRead(String reader, long from, long to, long[] elements, long invoked, long returned) {}
