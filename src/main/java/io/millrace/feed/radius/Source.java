package io.millrace.feed.radius;

import org.jspecify.annotations.Nullable;

/** A source of one client's requests: an IPv4 address or a /64 network of IPv6. Used on the network thread only. */
final class Source {

    private final long networkHigh;
    private final long networkLow;
    private final RadiusClient client;
    private final Holding own = new Holding();
    private final Holding ofClient;

    /** The next source in the same bucket of {@link Sources}. */
    @Nullable
    Source nextInBucket;

    /** @param ofClient pending and cached requests of all addresses of the client */
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

    /** Returns the pending and cached requests of this source. */
    Holding own() {
        return own;
    }

    /** Returns the pending and cached requests of all sources of the client, this one included. */
    Holding ofClient() {
        return ofClient;
    }
}
