package io.millrace.feed.radius;

import static io.millrace.feed.radius.Holding.NONE;

import io.millrace.feed.FairShare;
import io.millrace.hash.SeededHash;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cache of admitted requests that detects repeated ones (RFC 5080, section 2.2.2). The key is the sender's address
 * and port and the digest of the request, which covers the identifier. Responses are not stored: the response to a
 * request is deterministic, so it is computed again.
 *
 * <p>A request is in progress until it is answered; requests are answered in the order of arrival. Answered requests
 * expire after a fixed time. If a source, or a client with all its sources, has used its {@link FairShare} of the
 * cache, a new request replaces the oldest one of the same source or client, so that one busy sender does not evict the
 * requests of others.
 *
 * <p>Not thread-safe. Entries are found in a seeded hash table with linear probing, and linked from the oldest to the
 * newest of each source and of each client. The constructor allocates all arrays; methods allocate only through
 * {@link Sources}.
 */
final class DuplicateCache {

    /**
     * Entries evicted per call: more than one, so that eviction outpaces insertion; few, so that no packet is delayed.
     */
    private static final int EVICTED_PER_CALL = 2;

    private final SeededHash hash = SeededHash.random();
    private final int capacity;
    private final int tableMask;
    private final long keepNanos;
    private final FairShare shareOfSource;
    private final FairShare shareOfClient;
    private final Sources sources;
    private final long[] digestHighs;
    private final long[] digestLows;
    private final long[] addressLows;
    private final int[] ports;
    private final @Nullable Source[] owners;
    private final boolean[] isAnswered;
    private final long[] answeredNanos;

    /** For each entry, the next newer entry of its source. */
    private final int[] nextOfSource;

    /** For each entry, the next newer entry of its client; for a free entry, the next free one. */
    private final int[] nextOfClient;

    /** For each entry, the next older entry of its client. */
    private final int[] previousOfClient;

    /** Ring of the entries in progress, oldest first. */
    private final int[] inProgress;

    private final int[] table;
    private int firstFree;
    private int size;
    private long added;
    private long answered;
    private int clientToCheck;

    /**
     * @param capacity maximum number of cached requests, a power of two; no more may be in progress
     * @param keepNanos time for which a request is retained after it was answered
     * @param shareOfSource share of the capacity left by others that one source may use
     * @param shareOfClient share of the capacity left by other clients that all sources of one client may use
     */
    DuplicateCache(int capacity, long keepNanos, FairShare shareOfSource, FairShare shareOfClient, Sources sources) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("Invalid capacity '" + capacity + "'. Use a power of two.");
        }
        this.capacity = capacity;
        this.keepNanos = keepNanos;
        this.shareOfSource = shareOfSource;
        this.shareOfClient = shareOfClient;
        this.sources = sources;
        digestHighs = new long[capacity];
        digestLows = new long[capacity];
        addressLows = new long[capacity];
        ports = new int[capacity];
        owners = new @Nullable Source[capacity];
        isAnswered = new boolean[capacity];
        answeredNanos = new long[capacity];
        nextOfSource = new int[capacity];
        nextOfClient = new int[capacity];
        previousOfClient = new int[capacity];
        inProgress = new int[capacity];
        for (int entry = 0; entry < capacity; entry++) {
            nextOfClient[entry] = entry + 1;
        }
        nextOfClient[capacity - 1] = NONE;
        // A load factor of at most one half keeps probes short.
        table = new int[2 * capacity];
        tableMask = table.length - 1;
        Arrays.fill(table, NONE);
    }

    /**
     * Returns the entry of a request, or {@link Holding#NONE} if it is not cached. The entry is valid until the next
     * request is added.
     *
     * @param addressLow lower 64 bits of the address; the source has the upper ones
     * @param nanos current time
     */
    int find(long digestHigh, long digestLow, Source source, long addressLow, int port, long nanos) {
        clientToCheck = clientToCheck + 1 < sources.clients().size() ? clientToCheck + 1 : 0;
        evictExpired(sources.clients().get(clientToCheck), nanos);
        int entry = table[slot(digestHigh, digestLow, source, addressLow, port)];
        return entry != NONE && isAnswered[entry] && isExpired(entry, nanos) ? NONE : entry;
    }

    /** Returns whether a request that was found has been answered. */
    boolean isAnswered(int entry) {
        return isAnswered[entry];
    }

    /**
     * Adds a request in progress. Evicts an answered one if the cache is full.
     *
     * @param nanos current time
     */
    void add(long digestHigh, long digestLow, Source source, long addressLow, int port, long nanos) {
        evictExpired(source.ofClient(), nanos);
        evictExcess(source);
        if (firstFree == NONE) {
            evictOldest(largest());
        }
        int entry = firstFree;
        firstFree = nextOfClient[entry];
        digestHighs[entry] = digestHigh;
        digestLows[entry] = digestLow;
        addressLows[entry] = addressLow;
        ports[entry] = port;
        isAnswered[entry] = false;
        link(entry, source);
        // The new entry replaces the slot of an expired entry of the same request.
        table[slot(digestHigh, digestLow, source, addressLow, port)] = entry;
        inProgress[(int) added & (capacity - 1)] = entry;
        added++;
    }

    /** Marks the oldest request in progress as answered. */
    void answerNext(long nanos) {
        int entry = inProgress[(int) answered & (capacity - 1)];
        isAnswered[entry] = true;
        answeredNanos[entry] = nanos;
        answered++;
    }

    /** Evicts a few entries at a time: a source whose share shrinks as others join reaches it over several requests. */
    private void evictExcess(Source source) {
        Holding own = source.own();
        for (int i = 0; i < EVICTED_PER_CALL && hasAnswered(own) && !hasShare(shareOfSource, own); i++) {
            evictOldest(own);
        }
        Holding client = source.ofClient();
        for (int i = 0; i < EVICTED_PER_CALL && hasAnswered(client) && !hasShare(shareOfClient, client); i++) {
            evictOldest(hasAnswered(own) && own.cachedRequests > ownerOfOldest(client).cachedRequests ? own : client);
        }
    }

    private boolean hasShare(FairShare share, Holding holding) {
        return share.admits(capacity, size, holding.cachedRequests, 1);
    }

    private Holding ownerOfOldest(Holding client) {
        return Objects.requireNonNull(owners[client.oldest]).own();
    }

    private void evictExpired(Holding client, long nanos) {
        for (int i = 0; i < EVICTED_PER_CALL && hasAnswered(client) && isExpired(client.oldest, nanos); i++) {
            evictOldest(client);
        }
    }

    private boolean hasAnswered(Holding holding) {
        return holding.oldest != NONE && isAnswered[holding.oldest];
    }

    private boolean isExpired(int entry, long nanos) {
        return nanos - answeredNanos[entry] > keepNanos;
    }

    /**
     * Returns the client with the most entries among those with an answered one. At least one exists, as not all
     * requests are in progress.
     */
    private Holding largest() {
        Holding largest = null;
        for (Holding client : sources.clients()) {
            if (hasAnswered(client) && (largest == null || client.cachedRequests > largest.cachedRequests)) {
                largest = client;
            }
        }
        return Objects.requireNonNull(largest, "all requests are in progress");
    }

    /** Evicts the oldest entry of a source or client, which is also the oldest of its source. */
    private void evictOldest(Holding holding) {
        int entry = holding.oldest;
        Source source = Objects.requireNonNull(owners[entry]);
        int slot = slot(digestHighs[entry], digestLows[entry], source, addressLows[entry], ports[entry]);
        if (table[slot] == entry) {
            closeGap(slot);
        }
        unlink(entry, source);
    }

    private void link(int entry, Source source) {
        Holding own = source.own();
        Holding client = source.ofClient();
        if (own.cachedRequests == 0) {
            sources.add(source);
            own.oldest = entry;
        } else {
            nextOfSource[own.newest] = entry;
        }
        nextOfSource[entry] = NONE;
        own.newest = entry;
        own.cachedRequests++;
        previousOfClient[entry] = client.newest;
        nextOfClient[entry] = NONE;
        if (client.newest == NONE) {
            client.oldest = entry;
        } else {
            nextOfClient[client.newest] = entry;
        }
        client.newest = entry;
        client.cachedRequests++;
        owners[entry] = source;
        size++;
    }

    private void unlink(int entry, Source source) {
        Holding own = source.own();
        Holding client = source.ofClient();
        own.oldest = nextOfSource[entry];
        own.cachedRequests--;
        if (own.cachedRequests == 0) {
            own.newest = NONE;
            sources.remove(source);
        }
        int previous = previousOfClient[entry];
        int next = nextOfClient[entry];
        if (previous == NONE) {
            client.oldest = next;
        } else {
            nextOfClient[previous] = next;
        }
        if (next == NONE) {
            client.newest = previous;
        } else {
            previousOfClient[next] = previous;
        }
        client.cachedRequests--;
        owners[entry] = null;
        nextOfClient[entry] = firstFree;
        firstFree = entry;
        size--;
    }

    /** Moves displaced entries back into the gap, so that a probe may stop at an empty slot. */
    private void closeGap(int emptied) {
        int gap = emptied;
        int at = gap;
        while (true) {
            at = (at + 1) & tableMask;
            if (table[at] == NONE) {
                table[gap] = NONE;
                return;
            }
            int home = home(table[at]);
            if (((at - home) & tableMask) >= ((at - gap) & tableMask)) {
                table[gap] = table[at];
                gap = at;
            }
        }
    }

    private int home(int entry) {
        return hash(digestLows[entry], addressLows[entry], ports[entry]);
    }

    /** Returns the slot of the entry with this key, or the empty slot to insert it at. */
    private int slot(long digestHigh, long digestLow, Source source, long addressLow, int port) {
        int slot = hash(digestLow, addressLow, port);
        for (int entry = table[slot]; entry != NONE; entry = table[slot]) {
            if (digestHighs[entry] == digestHigh
                    && digestLows[entry] == digestLow
                    && addressLows[entry] == addressLow
                    && ports[entry] == port
                    && source.equals(owners[entry])) {
                return slot;
            }
            slot = (slot + 1) & tableMask;
        }
        return slot;
    }

    /**
     * Hashes a key. The digest is uniformly distributed, but a client, which knows the secret, can search for requests
     * with similar digests; hence the seed. Address and port separate equal requests of two senders.
     */
    private int hash(long digestLow, long addressLow, int port) {
        return (int) hash.hash(digestLow ^ hash.fold(addressLow, port)) & tableMask;
    }
}
