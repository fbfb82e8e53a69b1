package io.millrace.feed.radius;

import io.millrace.feed.FairShare;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Hands requests from the network's thread over to the pipeline's, and keeps them until they are stored and answered.
 * Bounded in requests and in octets; all of it is made at the beginning. A source, and a client with all its sources,
 * gets a {@link FairShare} of both, so that one who sends too much is the first whose requests are refused.
 *
 * <pre>
 *  answered            stored              taken               added
 *     |                   |                   |                   |
 *     v                   v                   v                   v
 * ----+-------------------+-------------------+-------------------+----  sequence numbers, from 0 on
 *     | to be answered    | to be stored      | to be taken       |
 *
 *  network             pipeline            pipeline            network    the thread that moves it
 * </pre>
 *
 * Each mark is moved by one thread only, with release, and read by the other with acquire, so there is no lock. Octets
 * lie in a ring; a request that would not fit before the ring's end begins at its start.
 */
final class RequestQueue {

    private static final VarHandle ADDED = mark("added");
    private static final VarHandle TAKEN = mark("taken");
    private static final VarHandle STORED = mark("stored");

    private final int mask;
    private final byte[] octets;
    /** Where each request begins, counting every round of the ring, and in the ring. */
    private final long[] positions;

    private final int[] offsets;
    private final int[] lengths;
    private final long[] arrivals;
    private final @Nullable InetSocketAddress[] senders;
    private final @Nullable Source[] sources;
    private final FairShare shareOfSource;
    private final FairShare shareOfClient;
    private volatile @Nullable Thread waiting;
    private long answered;
    private long maxPendingOctets;
    private long nextPosition;
    private int nextOffset;

    @SuppressWarnings("unused") // by its handle
    private long added;

    @SuppressWarnings("unused") // by its handle
    private long taken;

    @SuppressWarnings("unused") // by its handle
    private long stored;

    /**
     * @param capacity the most requests, a power of two
     * @param octets the most octets of all requests together
     * @param shareOfSource what one source may take of what others leave
     * @param shareOfClient what all sources of one client may take of what other clients leave
     */
    RequestQueue(int capacity, int octets, FairShare shareOfSource, FairShare shareOfClient) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity=" + capacity + " is no power of two");
        }
        this.mask = capacity - 1;
        this.shareOfSource = shareOfSource;
        this.shareOfClient = shareOfClient;
        this.octets = new byte[octets];
        positions = new long[capacity];
        offsets = new int[capacity];
        lengths = new int[capacity];
        arrivals = new long[capacity];
        senders = new @Nullable InetSocketAddress[capacity];
        sources = new @Nullable Source[capacity];
    }

    private static VarHandle mark(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(RequestQueue.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Adds a request, by the network's thread.
     *
     * @param source that the sender belongs to
     * @return null, or why it was not added
     */
    @Nullable
    Discard add(byte[] packet, int length, InetSocketAddress sender, Source source, long nanos) {
        long sequence = (long) ADDED.get(this);
        boolean fits = length <= octets.length - nextOffset;
        int offset = fits ? nextOffset : 0;
        long position = fits ? nextPosition : nextPosition + octets.length - nextOffset;
        long first = sequence == answered ? position : positions[(int) answered & mask];
        if (sequence - answered > mask || position + length - first > octets.length) {
            return Discard.OVERLOAD;
        }
        if (!hasShare(shareOfSource, source.own(), length) || !hasShare(shareOfClient, source.ofClient(), length)) {
            return Discard.CLIENT_OVERLOAD;
        }
        int slot = (int) sequence & mask;
        System.arraycopy(packet, 0, octets, offset, length);
        positions[slot] = position;
        offsets[slot] = offset;
        lengths[slot] = length;
        arrivals[slot] = nanos;
        senders[slot] = sender;
        sources[slot] = source;
        count(source, 1, length);
        nextPosition = position + length;
        nextOffset = offset + length;
        ADDED.setRelease(this, sequence + 1);
        return null;
    }

    private boolean hasShare(FairShare share, Holding holding, int length) {
        int maxPendingRequests = (int) ((long) ADDED.get(this) - answered);
        return share.admits(mask + 1, maxPendingRequests, holding.waiting, 1)
                && share.admits(octets.length, maxPendingOctets, holding.maxPendingOctets, length);
    }

    private void count(Source source, int requests, int length) {
        maxPendingOctets += length;
        source.own().waiting += requests;
        source.own().maxPendingOctets += length;
        source.ofClient().waiting += requests;
        source.ofClient().maxPendingOctets += length;
    }

    /** Wakes the pipeline's thread, if it waits; called by the network's once it has added what had arrived. */
    void wake() {
        // Against the other order in await: either that thread sees the requests, or this one sees that it waits.
        VarHandle.fullFence();
        Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Waits until there is a request to take, or the time is over. Called by the pipeline's thread.
     *
     * @return whether there is one
     */
    boolean await(long nanos) {
        if (isEmpty() && nanos > 0) {
            long deadline = System.nanoTime() + nanos;
            waiting = Thread.currentThread();
            VarHandle.fullFence();
            // Again, since a wake meant for an earlier wait may come late.
            for (long left = nanos; isEmpty() && left > 0; left = deadline - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
            }
            waiting = null;
        }
        return !isEmpty();
    }

    private boolean isEmpty() {
        return (long) TAKEN.get(this) == (long) ADDED.getAcquire(this);
    }

    /**
     * Copies the requests that wait, oldest first and back to back, as many as there is room for. Called by the
     * pipeline's thread.
     *
     * @param bounds receives where each begins, and behind the last where that one ends: its length less one is the
     *     most that are taken
     * @return how many
     */
    int take(byte[] into, int[] bounds) {
        long from = (long) TAKEN.get(this);
        int most = (int) Math.min((long) ADDED.getAcquire(this) - from, bounds.length - 1);
        int at = 0;
        int count = 0;
        while (count < most) {
            int slot = (int) (from + count) & mask;
            if (lengths[slot] > into.length - at) {
                break;
            }
            System.arraycopy(octets, offsets[slot], into, at, lengths[slot]);
            bounds[count++] = at;
            at += lengths[slot];
        }
        bounds[count] = at;
        TAKEN.setRelease(this, from + count);
        return count;
    }

    /** Takes note that all requests taken so far are stored. Called by the pipeline's thread. */
    void storedAllTaken() {
        STORED.setRelease(this, (long) TAKEN.get(this));
    }

    /** Whether the oldest request is stored but not answered. Asked by the network's thread, like all that follows. */
    boolean hasStored() {
        return answered < (long) STORED.getAcquire(this);
    }

    /** Answers the oldest request, and gives its place up. */
    void answer(Answerer answerer) {
        int slot = (int) answered & mask;
        InetSocketAddress sender = senders[slot];
        Source source = sources[slot];
        if (sender == null || source == null) {
            throw new IllegalStateException("there is no request to answer");
        }
        answerer.answer(octets, offsets[slot], lengths[slot], sender, source.client());
        senders[slot] = null;
        sources[slot] = null;
        count(source, -1, -lengths[slot]);
        answered++;
    }

    /** For how long the oldest request has been here, or 0 where there is none. */
    long oldestNanos(long now) {
        return answered == (long) ADDED.get(this) ? 0 : now - arrivals[(int) answered & mask];
    }

    /** How many octets wait to be taken; any thread may ask. */
    long octetsToTake() {
        long from = (long) TAKEN.getAcquire(this);
        long to = (long) ADDED.getAcquire(this);
        return from >= to
                ? 0
                : positions[(int) (to - 1) & mask] + lengths[(int) (to - 1) & mask] - positions[(int) from & mask];
    }

    /** What is done with a request that is stored. */
    interface Answerer {
        void answer(byte[] packet, int at, int length, InetSocketAddress sender, RadiusClient client);
    }
}
