package io.millrace.nemesis.history;

import java.util.HashMap;
import java.util.Map;

/**
 * Requires that positions do not go back: of each source by itself, such as the tenure of an owner, and of what is
 * stored, by whomever. A read of what is stored must return at least what each read had returned when it was called.
 */
public final class Positions {

    private final Map<String, Long> bySource = new HashMap<>();
    private int count;

    /** Returns the highest position so far of a source, to be passed to {@link #add} after the read. */
    public synchronized long before(String source) {
        return bySource.getOrDefault(source, Long.MIN_VALUE);
    }

    /**
     * Adds a position.
     *
     * @param source what the position belongs to
     * @param before the highest position when the read was called
     * @throws AssertionError if the position is lower
     */
    public synchronized void add(String source, long before, long position) {
        if (position < before) {
            throw new AssertionError("The position of " + source + " goes back from " + before + " to " + position);
        }
        bySource.merge(source, position, Math::max);
        count++;
    }

    /** Returns how many positions were added. */
    public synchronized int count() {
        return count;
    }
}
