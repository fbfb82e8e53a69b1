package io.millrace.feed;

import io.millrace.codec.Counter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The counters of a feed, by the names under which they are shown, in the order in which they were added. */
public final class NamedCounters {

    private final Map<String, Counter> counters = new LinkedHashMap<>();

    /** Adds a counter that is zero, and returns it. */
    public Counter add(String name) {
        Counter counter = new Counter();
        counters.put(name, counter);
        return counter;
    }

    /** Returns all counters. */
    public Map<String, Counter> all() {
        return Collections.unmodifiableMap(counters);
    }
}
