package io.millrace.feed.pcap;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The interfaces described so far by the blocks of a pcapng section. Not thread-safe. */
final class PcapngInterfaces {

    /** Maximum number of interfaces per section, so that a file cannot exhaust the memory. */
    static final int MAX_INTERFACES = 65_536;

    /**
     * A capture interface.
     *
     * @param linkType type of the packets' first header
     * @param snapLength maximum number of captured bytes per packet, 0 for no limit
     * @param unit of the packets' timestamps
     * @param offsetSeconds added to the timestamps
     */
    record Interface(int linkType, long snapLength, TimestampUnit unit, long offsetSeconds) {

        private static final long NANOS_PER_SECOND = 1_000_000_000;
        /** Times after the year 2262 do not fit nanoseconds in a {@code long}; no capture has them. */
        private static final long MOST_SECONDS = Long.MAX_VALUE / NANOS_PER_SECOND / 2;

        /** Converts a timestamp to nanoseconds since 1970. */
        long nanos(long timestamp) {
            long offset = Math.clamp(offsetSeconds, -MOST_SECONDS, MOST_SECONDS) * NANOS_PER_SECOND;
            return Math.min(unit.nanos(timestamp), Long.MAX_VALUE / 2) + offset;
        }
    }

    private final List<Interface> interfaces = new ArrayList<>();

    /** Removes all interfaces, at the start of a section. */
    void clear() {
        interfaces.clear();
    }

    int size() {
        return interfaces.size();
    }

    void add(Interface described) {
        interfaces.add(described);
    }

    /** Returns the interface with this number, or null. */
    @Nullable
    Interface get(long number) {
        return number < interfaces.size() ? interfaces.get((int) number) : null;
    }
}
