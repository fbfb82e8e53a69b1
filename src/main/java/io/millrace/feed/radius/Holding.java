package io.millrace.feed.radius;

/**
 * What one source address, or all addresses of one client, hold of the {@link RequestQueue}, which keeps the first two
 * fields, and of the {@link DuplicateCache}, which keeps the others. The network thread's own.
 */
final class Holding {

    /** No entry of the cache. */
    static final int NONE = -1;

    /** Requests that wait to be stored and answered. */
    int waiting;

    /** Octets of these. */
    long maxPendingOctets;

    /** Requests that are remembered. */
    int remembered;

    /** Entry of the oldest of these. */
    int oldest = NONE;

    /** Entry of the newest of these. */
    int newest = NONE;
}
