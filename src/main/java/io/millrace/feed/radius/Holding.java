package io.millrace.feed.radius;

/**
 * The pending and cached requests of one source address, or of all addresses of one client. The {@link RequestQueue}
 * updates the first two fields, the {@link DuplicateCache} the others. Used on the network thread only.
 */
final class Holding {

    /** Stands for no entry of the cache. */
    static final int NONE = -1;

    /** Requests that are queued and not answered yet. */
    int pendingRequests;

    /** Octets of the pending requests. */
    long pendingOctets;

    /** Requests in the duplicate cache. */
    int cachedRequests;

    /** Entry of the oldest cached request. */
    int oldest = NONE;

    /** Entry of the newest cached request. */
    int newest = NONE;
}
