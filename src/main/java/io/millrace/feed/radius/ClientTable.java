package io.millrace.feed.radius;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the client of an address: of several ranges that hold it, the one with the longest prefix. The ranges are cut
 * where any of them begins or ends, so that a binary search finds the piece that an address lies in, and each piece has
 * one client or none. Immutable; a search allocates nothing.
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
            clients[i] = holding(longestFirst, highs[i], lows[i]);
        }
    }

    private static @Nullable RadiusClient holding(List<RadiusClient> longestFirst, long high, long low) {
        for (RadiusClient client : longestFirst) {
            if (client.range().contains(high, low)) {
                return client;
            }
        }
        return null;
    }

    /** The client of an address, or null for a stranger. */
    @Nullable
    RadiusClient find(long high, long low) {
        int from = 0;
        int to = highs.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (Address.compare(highs[middle], lows[middle], high, low) <= 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from == 0 ? null : clients[from - 1];
    }

    /** 128 bits, in the order of addresses. */
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
