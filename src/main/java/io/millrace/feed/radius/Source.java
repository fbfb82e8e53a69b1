package io.millrace.feed.radius;

import org.jspecify.annotations.Nullable;

/** An address, or a /64 network of IPv6, that requests of one client come from. The network thread's own. */
final class Source {

    private final long networkHigh;
    private final long networkLow;
    private final RadiusClient client;
    private final Holding own = new Holding();
    private final Holding ofClient;

    /** The next one of the same bucket of {@link Sources}. */
    @Nullable
    Source nextInBucket;

    /** @param ofClient what all addresses of the client hold */
    Source(long networkHigh, long networkLow, RadiusClient client, Holding ofClient) {
        this.networkHigh = networkHigh;
        this.networkLow = networkLow;
        this.client = client;
        this.ofClient = ofClient;
    }

    long networkHigh() {
        return networkHigh;
    }

    long networkLow() {
        return networkLow;
    }

    RadiusClient client() {
        return client;
    }

    /** What this source holds. */
    Holding own() {
        return own;
    }

    /** What all sources of its client hold, this one included. */
    Holding ofClient() {
        return ofClient;
    }
}
