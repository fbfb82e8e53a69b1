package io.millrace.feed.pcap;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The interfaces that the blocks of a pcapng section have described so far. Not thread-safe. */
final class PcapngInterfaces {

    /** The most in one section: what keeps a file from filling the memory with them. */
    static final int MOST = 65_536;

    /**
     * One of them.
     *
     * @param linkType what its packets begin with
     * @param snapLength the most bytes of a packet that were captured, 0 for no limit
     * @param unit of its packets' timestamps
     * @param offsetSeconds to be added to these
     */
    record Interface(int linkType, long snapLength, TimestampUnit unit, long offsetSeconds) {

        private static final long NANOS_PER_SECOND = 1_000_000_000;
        /** Behind the year 2262 there are no nanoseconds in a {@code long}; nor is there a capture. */
        private static final long MOST_SECONDS = Long.MAX_VALUE / NANOS_PER_SECOND / 2;

        /** A timestamp in nanoseconds since 1970. */
        long nanos(long timestamp) {
            long offset = Math.clamp(offsetSeconds, -MOST_SECONDS, MOST_SECONDS) * NANOS_PER_SECOND;
            return Math.min(unit.nanos(timestamp), Long.MAX_VALUE / 2) + offset;
        }
    }

    private final List<Interface> interfaces = new ArrayList<>();

    /** Forgets all: a section begins. */
    void clear() {
        interfaces.clear();
    }

    int size() {
        return interfaces.size();
    }

    void add(Interface described) {
        interfaces.add(described);
    }

    /** The interface of this number, or null. */
    @Nullable
    Interface get(long number) {
        return number < interfaces.size() ? interfaces.get((int) number) : null;
    }
}
