package io.millrace.feed.radius;

import java.util.Arrays;

/**
 * Remembers the requests that were admitted, to know them when they come again (RFC 5080, section 2.2.2): by the
 * sender's address and port and the digest of the request, which covers its identifier too. Responses are not kept: the
 * same request gives the same response, so it is made again.
 *
 * <p>Requests have sequence numbers, from 0 on, without a gap, and are answered in that order; until then they are in
 * progress. The newest so many are remembered, answered ones for a time only.
 *
 * <p>One thread's own. Entries lie in a ring, by sequence number, and are found by a hash table with linear probing;
 * all of it is made at the beginning, and no method allocates.
 */
final class DuplicateCache {

    /** No request that is remembered. */
    static final long NONE = -1;

    /** More than one, so that old entries go faster than new ones come; few, so that no packet waits for it. */
    private static final int FORGOTTEN_AT_ONCE = 2;

    private static final int EMPTY = -1;

    private final int mask;
    private final int tableMask;
    private final long keepNanos;
    private final long[] digestHighs;
    private final long[] digestLows;
    private final long[] addressHighs;
    private final long[] addressLows;
    private final int[] ports;
    private final long[] answeredNanos;
    private final int[] table;
    private long oldest;
    private long next;
    private long answered;

    /**
     * @param capacity how many requests are remembered, a power of two; no more may be in progress
     * @param keepNanos how long one is remembered after it was answered
     */
    DuplicateCache(int capacity, long keepNanos) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity=" + capacity + " is no power of two");
        }
        this.mask = capacity - 1;
        this.keepNanos = keepNanos;
        digestHighs = new long[capacity];
        digestLows = new long[capacity];
        addressHighs = new long[capacity];
        addressLows = new long[capacity];
        ports = new int[capacity];
        answeredNanos = new long[capacity];
        // At most half full, so that a probe is short.
        table = new int[2 * capacity];
        tableMask = table.length - 1;
        Arrays.fill(table, EMPTY);
    }

    /**
     * The sequence number of this request, or {@link #NONE} where it is not remembered.
     *
     * @param nanos the time now
     */
    long find(long digestHigh, long digestLow, long addressHigh, long addressLow, int port, long nanos) {
        forgetOld(nanos);
        int slot = slot(digestHigh, digestLow, addressHigh, addressLow, port);
        if (table[slot] == EMPTY) {
            return NONE;
        }
        long sequence = sequence(table[slot]);
        return sequence < answered && isOld(sequence, nanos) ? NONE : sequence;
    }

    /** Remembers the next request, in progress; the oldest is forgotten where there is no room. */
    void add(long digestHigh, long digestLow, long addressHigh, long addressLow, int port) {
        if (next - oldest > mask) {
            forgetOldest();
        }
        int entry = (int) next & mask;
        digestHighs[entry] = digestHigh;
        digestLows[entry] = digestLow;
        addressHighs[entry] = addressHigh;
        addressLows[entry] = addressLow;
        ports[entry] = port;
        // An old entry of the same request, if it is still there, can no longer be found: the new one takes its slot.
        table[slot(digestHigh, digestLow, addressHigh, addressLow, port)] = entry;
        next++;
    }

    /** Whether a request that was found has been answered. */
    boolean isAnswered(long sequence) {
        return sequence < answered;
    }

    /** Takes note that the oldest request in progress is answered now. */
    void answerNext(long nanos) {
        answeredNanos[(int) answered & mask] = nanos;
        answered++;
    }

    private void forgetOld(long nanos) {
        for (int i = 0; i < FORGOTTEN_AT_ONCE && oldest < answered && isOld(oldest, nanos); i++) {
            forgetOldest();
        }
    }

    private boolean isOld(long sequence, long nanos) {
        return nanos - answeredNanos[(int) sequence & mask] > keepNanos;
    }

    private void forgetOldest() {
        int entry = (int) oldest & mask;
        int slot = slot(digestHighs[entry], digestLows[entry], addressHighs[entry], addressLows[entry], ports[entry]);
        if (table[slot] == entry) {
            closeGap(slot);
        }
        oldest++;
    }

    /** Moves entries that were pushed behind the gap back to where they belong, so that probes may end at a gap. */
    private void closeGap(int from) {
        int gap = from;
        int at = gap;
        while (true) {
            at = (at + 1) & tableMask;
            if (table[at] == EMPTY) {
                table[gap] = EMPTY;
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
        return hash(digestLows[entry], addressHighs[entry], addressLows[entry], ports[entry]);
    }

    /** The slot that holds the entry of this key, or the empty one where it would be put. */
    private int slot(long digestHigh, long digestLow, long addressHigh, long addressLow, int port) {
        int slot = hash(digestLow, addressHigh, addressLow, port);
        for (int entry = table[slot]; entry != EMPTY; entry = table[slot]) {
            if (digestHighs[entry] == digestHigh
                    && digestLows[entry] == digestLow
                    && addressHighs[entry] == addressHigh
                    && addressLows[entry] == addressLow
                    && ports[entry] == port) {
                return slot;
            }
            slot = (slot + 1) & tableMask;
        }
        return slot;
    }

    /** A digest is evenly spread by itself; address and port only keep equal requests of two senders apart. */
    private int hash(long digestLow, long addressHigh, long addressLow, int port) {
        long sender = (addressHigh + addressLow + port) * 0x9E37_79B9_7F4A_7C15L;
        return (int) (digestLow ^ (sender >>> 32)) & tableMask;
    }

    private long sequence(int entry) {
        return oldest + ((entry - (int) oldest) & mask);
    }
}
