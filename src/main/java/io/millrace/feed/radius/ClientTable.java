package io.millrace.feed.radius;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the client of an address: of several ranges that contain the address, the one with the longest prefix. The
 * constructor splits the address space at the boundaries of all ranges, so that a binary search finds the interval of
 * an address; each interval has one client or none. Immutable; a search allocates nothing.
 */
final class ClientTable {

    private final long[] highs;
    private final long[] lows;
    private final @Nullable RadiusClient[] clients;

    ClientTable(List<RadiusClient> all) {
        TreeSet<Address> cuts = new TreeSet<>();
        for (RadiusClient client : all) {
            AddressRange range = client.range();
            cuts.add(new Address(range.high(), range.low()));
            Address last = new Address(range.lastHigh(), range.lastLow());
            if (!last.isHighest()) {
                cuts.add(last.next());
            }
        }
        List<RadiusClient> longestFirst = all.stream()
                .sorted(Comparator.comparingInt(
                                (RadiusClient client) -> client.range().prefix())
                        .reversed())
                .toList();
        highs = cuts.stream().mapToLong(Address::high).toArray();
        lows = cuts.stream().mapToLong(Address::low).toArray();
        clients = new @Nullable RadiusClient[highs.length];
        for (int i = 0; i < highs.length; i++) {
            clients[i] = mostSpecific(longestFirst, highs[i], lows[i]);
        }
    }

    private static @Nullable RadiusClient mostSpecific(List<RadiusClient> longestFirst, long high, long low) {
        for (RadiusClient client : longestFirst) {
            if (client.range().contains(high, low)) {
                return client;
            }
        }
        return null;
    }

    /** Returns the client of an address, or null for an unknown sender. */
    @Nullable
    RadiusClient find(long high, long low) {
        int start = 0;
        int end = highs.length;
        while (start < end) {
            int middle = (start + end) >>> 1;
            if (Address.compare(highs[middle], lows[middle], high, low) <= 0) {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        return start == 0 ? null : clients[start - 1];
    }

    /** An address of 128 bits, in unsigned order. */
    private record Address(long high, long low) implements Comparable<Address> {

        static int compare(long high, long low, long otherHigh, long otherLow) {
            int byHigh = Long.compareUnsigned(high, otherHigh);
            return byHigh == 0 ? Long.compareUnsigned(low, otherLow) : byHigh;
        }

        boolean isHighest() {
            return high == -1 && low == -1;
        }

        Address next() {
            return new Address(low == -1 ? high + 1 : high, low + 1);
        }

        @Override
        public int compareTo(Address other) {
            return compare(high, low, other.high, other.low);
        }
    }
}
