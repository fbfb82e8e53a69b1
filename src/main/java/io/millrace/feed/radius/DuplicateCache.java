package io.millrace.feed.radius;

import static io.millrace.feed.radius.Holding.NONE;

import io.millrace.feed.FairShare;
import io.millrace.hash.SeededHash;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the requests that were admitted, to know them when they come again (RFC 5080, section 2.2.2): by the
 * sender's address and port and the digest of the request, which covers its identifier too. Responses are not kept: the
 * same request gives the same response, so it is made again.
 *
 * <p>Requests are in progress until they are answered, in the order in which they came; answered ones are remembered
 * for a time only. Where a source, or a client with all its sources, has its {@link FairShare} of the cache, a new
 * request takes the place of its own oldest one, so that one who sends much does not make the requests of others
 * unknown.
 *
 * <p>One thread's own. Entries are found by a hash table with linear probing, seeded, and linked from the oldest to the
 * newest of each source and of each client. All but {@link Sources} is made at the beginning, and no method allocates
 * more than those do.
 */
final class DuplicateCache {

    /** More than one, so that old entries go faster than new ones come; few, so that no packet waits for it. */
    private static final int FORGOTTEN_AT_ONCE = 2;

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

    /** Towards the newest of the source. */
    private final int[] nextOfSource;

    /** Towards the newest of the client; of entries that are free, the next free one. */
    private final int[] nextOfClient;

    /** Towards the oldest of the client. */
    private final int[] previousOfClient;

    /** Entries in progress, oldest first: a ring. */
    private final int[] inProgress;

    private final int[] table;
    private int firstFree;
    private int size;
    private long added;
    private long answered;
    private int clientToCheck;

    /**
     * @param capacity how many requests are remembered, a power of two; no more may be in progress
     * @param keepNanos how long one is remembered after it was answered
     * @param shareOfSource what one source may take of what others leave
     * @param shareOfClient what all sources of one client may take of what other clients leave
     */
    DuplicateCache(int capacity, long keepNanos, FairShare shareOfSource, FairShare shareOfClient, Sources sources) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity=" + capacity + " is no power of two");
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
        // At most half full, so that a probe is short.
        table = new int[2 * capacity];
        tableMask = table.length - 1;
        Arrays.fill(table, NONE);
    }

    /**
     * Returns the entry of this request, or {@link Holding#NONE} where it is not remembered. The entry is good until
     * the next request is added.
     *
     * @param addressLow lower 64 bits of the address: the upper ones are the source's
     * @param nanos the time now
     */
    int find(long digestHigh, long digestLow, Source source, long addressLow, int port, long nanos) {
        clientToCheck = clientToCheck + 1 < sources.clients().size() ? clientToCheck + 1 : 0;
        forgetOld(sources.clients().get(clientToCheck), nanos);
        int entry = table[slot(digestHigh, digestLow, source, addressLow, port)];
        return entry != NONE && isAnswered[entry] && isOld(entry, nanos) ? NONE : entry;
    }

    /** Returns whether a request that was found has been answered. */
    boolean isAnswered(int entry) {
        return isAnswered[entry];
    }

    /**
     * Remembers the next request, in progress; if it is full, another one is removed.
     *
     * @param nanos the time now
     */
    void add(long digestHigh, long digestLow, Source source, long addressLow, int port, long nanos) {
        forgetOld(source.ofClient(), nanos);
        keepToShares(source);
        if (firstFree == NONE) {
            forgetOldest(largest());
        }
        int entry = firstFree;
        firstFree = nextOfClient[entry];
        digestHighs[entry] = digestHigh;
        digestLows[entry] = digestLow;
        addressLows[entry] = addressLow;
        ports[entry] = port;
        isAnswered[entry] = false;
        link(entry, source);
        // An old entry of the same request, if it is still there, can no longer be found: the new one takes its slot.
        table[slot(digestHigh, digestLow, source, addressLow, port)] = entry;
        inProgress[(int) added & (capacity - 1)] = entry;
        added++;
    }

    /** Takes note that the oldest request in progress is answered now. */
    void answerNext(long nanos) {
        int entry = inProgress[(int) answered & (capacity - 1)];
        isAnswered[entry] = true;
        answeredNanos[entry] = nanos;
        answered++;
    }

    /** Some at a time: a source whose share has become smaller, since others came, gets there request by request. */
    private void keepToShares(Source source) {
        Holding own = source.own();
        for (int i = 0; i < FORGOTTEN_AT_ONCE && hasAnswered(own) && !hasShare(shareOfSource, own); i++) {
            forgetOldest(own);
        }
        Holding client = source.ofClient();
        for (int i = 0; i < FORGOTTEN_AT_ONCE && hasAnswered(client) && !hasShare(shareOfClient, client); i++) {
            forgetOldest(hasAnswered(own) && own.remembered > ownerOfOldest(client).remembered ? own : client);
        }
    }

    private boolean hasShare(FairShare share, Holding holding) {
        return share.admits(capacity, size, holding.remembered, 1);
    }

    private Holding ownerOfOldest(Holding client) {
        return Objects.requireNonNull(owners[client.oldest]).own();
    }

    private void forgetOld(Holding client, long nanos) {
        for (int i = 0; i < FORGOTTEN_AT_ONCE && hasAnswered(client) && isOld(client.oldest, nanos); i++) {
            forgetOldest(client);
        }
    }

    private boolean hasAnswered(Holding holding) {
        return holding.oldest != NONE && isAnswered[holding.oldest];
    }

    private boolean isOld(int entry, long nanos) {
        return nanos - answeredNanos[entry] > keepNanos;
    }

    /** The client with most entries, of those that have one to give up: there is one, for not all are in progress. */
    private Holding largest() {
        Holding largest = null;
        for (Holding client : sources.clients()) {
            if (hasAnswered(client) && (largest == null || client.remembered > largest.remembered)) {
                largest = client;
            }
        }
        return Objects.requireNonNull(largest, "all requests are in progress");
    }

    /** Forgets the oldest entry of a source or client, which is the oldest of its source as well. */
    private void forgetOldest(Holding holding) {
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
        if (own.remembered == 0) {
            sources.add(source);
            own.oldest = entry;
        } else {
            nextOfSource[own.newest] = entry;
        }
        nextOfSource[entry] = NONE;
        own.newest = entry;
        own.remembered++;
        previousOfClient[entry] = client.newest;
        nextOfClient[entry] = NONE;
        if (client.newest == NONE) {
            client.oldest = entry;
        } else {
            nextOfClient[client.newest] = entry;
        }
        client.newest = entry;
        client.remembered++;
        owners[entry] = source;
        size++;
    }

    private void unlink(int entry, Source source) {
        Holding own = source.own();
        Holding client = source.ofClient();
        own.oldest = nextOfSource[entry];
        own.remembered--;
        if (own.remembered == 0) {
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
        client.remembered--;
        owners[entry] = null;
        nextOfClient[entry] = firstFree;
        firstFree = entry;
        size--;
    }

    /** Moves entries that were pushed behind the gap back to where they belong, so that probes may end at a gap. */
    private void closeGap(int from) {
        int gap = from;
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

    /** The slot that holds the entry of this key, or the empty one where it would be put. */
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
     * A digest is evenly spread by itself, but a client, which knows the secret, can look for requests of similar ones.
     * Address and port only keep equal requests of two senders apart.
     */
    private int hash(long digestLow, long addressLow, int port) {
        return (int) hash.hash(digestLow ^ hash.fold(addressLow, port)) & tableMask;
    }
}
