package io.millrace.feed.radius;

import io.millrace.hash.SeededHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A hash table with chaining of the sources that have requests in the duplicate cache.
 *
 * <p>Used on the network thread only. Allocates for a new source and when the table grows; finding a source allocates
 * nothing.
 */
final class Sources {

    private static final int INITIAL_BUCKETS = 64;

    private final Map<AddressRange, Holding> clients = new HashMap<>();
    private final List<Holding> holdings;
    private final SeededHash hash = SeededHash.random();
    private @Nullable Source[] buckets = new @Nullable Source[INITIAL_BUCKETS];
    private int count;

    Sources(List<RadiusClient> clients) {
        clients.forEach(client -> this.clients.put(client.range(), new Holding()));
        holdings = List.copyOf(this.clients.values());
    }

    /** Returns the holding of each client. */
    List<Holding> clients() {
        return holdings;
    }

    /** Returns the number of sources in the table. */
    int count() {
        return count;
    }

    /** Returns the source of a network, or a new one that is not in the table. */
    Source get(long networkHigh, long networkLow, RadiusClient client) {
        Source source = buckets[bucket(networkHigh, networkLow)];
        while (source != null) {
            if (source.networkHigh() == networkHigh
                    && source.networkLow() == networkLow
                    && source.client().range().equals(client.range())) {
                return source;
            }
            source = source.nextInBucket;
        }
        Holding ofClient = Objects.requireNonNull(clients.get(client.range()));
        return new Source(networkHigh, networkLow, client, ofClient);
    }

    /** Adds a new source to the table. */
    void add(Source source) {
        if (count == buckets.length) {
            grow();
        }
        link(source);
        count++;
    }

    /** Removes a source from the table. */
    void remove(Source source) {
        int bucket = bucket(source.networkHigh(), source.networkLow());
        buckets[bucket] = without(buckets[bucket], source);
        source.nextInBucket = null;
        count--;
    }

    private static @Nullable Source without(@Nullable Source first, Source removed) {
        if (first == null || first.equals(removed)) {
            return removed.nextInBucket;
        }
        Source previous = first;
        while (previous.nextInBucket != null && !previous.nextInBucket.equals(removed)) {
            previous = previous.nextInBucket;
        }
        previous.nextInBucket = removed.nextInBucket;
        return first;
    }

    private void grow() {
        @Nullable Source[] old = buckets;
        buckets = new @Nullable Source[2 * old.length];
        for (Source first : old) {
            Source source = first;
            while (source != null) {
                Source next = source.nextInBucket;
                link(source);
                source = next;
            }
        }
    }

    private void link(Source source) {
        int bucket = bucket(source.networkHigh(), source.networkLow());
        source.nextInBucket = buckets[bucket];
        buckets[bucket] = source;
    }

    private int bucket(long networkHigh, long networkLow) {
        return (int) hash.hash(hash.fold(networkHigh, networkLow)) & (buckets.length - 1);
    }
}
