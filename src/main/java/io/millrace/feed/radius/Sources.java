package io.millrace.feed.radius;

import io.millrace.hash.SeededHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sources that requests are remembered of, in a hash table with chains.
 *
 * <p>The network thread's own. Allocates where a source is new, and for the table to grow; none to find a source.
 */
final class Sources {

    private static final int LEAST_BUCKETS = 64;

    private final Map<AddressRange, Holding> clients = new HashMap<>();
    private final List<Holding> holdings;
    private final SeededHash hash = SeededHash.random();
    private @Nullable Source[] buckets = new @Nullable Source[LEAST_BUCKETS];
    private int count;

    Sources(List<RadiusClient> clients) {
        clients.forEach(client -> this.clients.put(client.range(), new Holding()));
        holdings = List.copyOf(this.clients.values());
    }

    /** Returns what each client holds. */
    List<Holding> clients() {
        return holdings;
    }

    /** Returns how many sources are known. */
    int count() {
        return count;
    }

    /** Returns the source of these bits, one that is not known yet if need be. */
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

    /** Makes a new source known. */
    void add(Source source) {
        if (count == buckets.length) {
            grow();
        }
        link(source);
        count++;
    }

    /** Forgets a source that was added. */
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
        Source before = first;
        while (before.nextInBucket != null && !before.nextInBucket.equals(removed)) {
            before = before.nextInBucket;
        }
        before.nextInBucket = removed.nextInBucket;
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
