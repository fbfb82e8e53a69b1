package io.millrace.feed.radius;

import io.millrace.feed.FairShare;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue that passes requests from the network thread to the pipeline thread and stores them until they are
 * answered. Limits both requests and octets; the constructor allocates all memory. A source, and a client with all its
 * sources, gets a {@link FairShare} of both limits, so that requests of the busiest sender are refused first.
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
 * One thread moves each mark with release semantics and the other reads it with acquire semantics, so the queue needs
 * no lock. Octets are stored in a ring; a request that does not fit before the end of the ring starts at its beginning.
 */
final class RequestQueue {

    private static final VarHandle ADDED = mark("added");
    private static final VarHandle TAKEN = mark("taken");
    private static final VarHandle STORED = mark("stored");

    private final int mask;
    private final byte[] octets;
    /**
     * Position of each request's first octet in the sequence of all octets; {@code offsets} has its offset in the ring.
     */
    private final long[] positions;

    private final int[] offsets;
    private final int[] lengths;
    private final long[] arrivals;
    private final @Nullable InetSocketAddress[] senders;
    private final @Nullable Source[] sources;
    private final FairShare shareOfSource;
    private final FairShare shareOfClient;
    private volatile @Nullable Thread waitingThread;
    private volatile boolean woken;
    private long answered;
    private long pendingOctets;
    private long nextPosition;
    private int nextOffset;

    @SuppressWarnings("unused") // accessed by its VarHandle
    private long added;

    @SuppressWarnings("unused") // accessed by its VarHandle
    private long taken;

    @SuppressWarnings("unused") // accessed by its VarHandle
    private long stored;

    /**
     * @param capacity maximum number of requests, a power of two
     * @param octets maximum number of octets of all requests together
     * @param shareOfSource share of the capacity left by others that one source may use
     * @param shareOfClient share of the capacity left by other clients that all sources of one client may use
     */
    RequestQueue(int capacity, int octets, FairShare shareOfSource, FairShare shareOfClient) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("Invalid capacity '" + capacity + "'. Use a power of two.");
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
     * Adds a request. Called by the network thread.
     *
     * @param source of the sender
     * @return null, or the reason why the request was not added
     */
    @Nullable
    Discard add(byte[] packet, int length, InetSocketAddress sender, Source source, long arrivalNanos) {
        long sequence = (long) ADDED.get(this);
        boolean fits = length <= octets.length - nextOffset;
        int offset = fits ? nextOffset : 0;
        long position = fits ? nextPosition : nextPosition + octets.length - nextOffset;
        long oldestPosition = sequence == answered ? position : positions[(int) answered & mask];
        if (sequence - answered > mask || position + length - oldestPosition > octets.length) {
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
        arrivals[slot] = arrivalNanos;
        senders[slot] = sender;
        sources[slot] = source;
        count(source, 1, length);
        nextPosition = position + length;
        nextOffset = offset + length;
        ADDED.setRelease(this, sequence + 1);
        return null;
    }

    private boolean hasShare(FairShare share, Holding holding, int length) {
        int pendingRequests = (int) ((long) ADDED.get(this) - answered);
        return share.admits(mask + 1, pendingRequests, holding.pendingRequests, 1)
                && share.admits(octets.length, pendingOctets, holding.pendingOctets, length);
    }

    private void count(Source source, int requests, int length) {
        pendingOctets += length;
        source.own().pendingRequests += requests;
        source.own().pendingOctets += length;
        source.ofClient().pendingRequests += requests;
        source.ofClient().pendingOctets += length;
    }

    /** Wakes the pipeline thread if it waits. Called by the network thread after it has added all received requests. */
    void wake() {
        // Pairs with the fence in await: either that thread sees the requests, or this one sees that it waits.
        VarHandle.fullFence();
        Thread thread = waitingThread;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Ends the wait of the pipeline thread, or its next one. Thread-safe. */
    void endWait() {
        woken = true;
        Thread thread = waitingThread;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Waits until a request can be taken, the time has elapsed, or {@link #endWait} was called. Called by the pipeline
     * thread.
     *
     * @return whether a request can be taken
     */
    boolean await(long maxNanos) {
        if (isEmpty() && maxNanos > 0) {
            long deadline = System.nanoTime() + maxNanos;
            waitingThread = Thread.currentThread();
            VarHandle.fullFence();
            // A loop, since an unpark for an earlier wait may arrive late.
            for (long leftNanos = maxNanos;
                    isEmpty() && !woken && leftNanos > 0;
                    leftNanos = deadline - System.nanoTime()) {
                LockSupport.parkNanos(this, leftNanos);
            }
            waitingThread = null;
        }
        woken = false;
        return !isEmpty();
    }

    private boolean isEmpty() {
        return (long) TAKEN.get(this) == (long) ADDED.getAcquire(this);
    }

    /**
     * Copies waiting requests to an array, oldest first and back to back, as many as fit. Called by the pipeline
     * thread.
     *
     * @param bounds receives the start of each request, then the end of the last one; limits the number of requests to
     *     its length less one
     * @return the number of requests
     */
    int take(byte[] into, int[] bounds) {
        long firstSequence = (long) TAKEN.get(this);
        int maxCount = (int) Math.min((long) ADDED.getAcquire(this) - firstSequence, bounds.length - 1);
        int offset = 0;
        int count = 0;
        while (count < maxCount) {
            int slot = (int) (firstSequence + count) & mask;
            if (lengths[slot] > into.length - offset) {
                break;
            }
            System.arraycopy(octets, offsets[slot], into, offset, lengths[slot]);
            bounds[count++] = offset;
            offset += lengths[slot];
        }
        bounds[count] = offset;
        TAKEN.setRelease(this, firstSequence + count);
        return count;
    }

    /** Marks all requests taken so far as stored. Called by the pipeline thread. */
    void storedAllTaken() {
        STORED.setRelease(this, (long) TAKEN.get(this));
    }

    /**
     * Returns whether the oldest request is stored but not answered. The network thread calls this method and those
     * below.
     */
    boolean hasStored() {
        return answered < (long) STORED.getAcquire(this);
    }

    /** Answers the oldest request and frees its slot. */
    void answer(Answerer answerer) {
        int slot = (int) answered & mask;
        InetSocketAddress sender = senders[slot];
        Source source = sources[slot];
        if (sender == null || source == null) {
            throw new IllegalStateException("No request waits for a response.");
        }
        answerer.answer(octets, offsets[slot], lengths[slot], sender, source.client());
        senders[slot] = null;
        sources[slot] = null;
        count(source, -1, -lengths[slot]);
        answered++;
    }

    /** Returns the age of the oldest request in nanoseconds, or 0 if the queue is empty. */
    long oldestNanos(long now) {
        return answered == (long) ADDED.get(this) ? 0 : now - arrivals[(int) answered & mask];
    }

    /** Returns the number of octets that wait to be taken. Thread-safe. */
    long octetsToTake() {
        long first = (long) TAKEN.getAcquire(this);
        long end = (long) ADDED.getAcquire(this);
        return first >= end
                ? 0
                : positions[(int) (end - 1) & mask] + lengths[(int) (end - 1) & mask] - positions[(int) first & mask];
    }

    /** Answers a stored request. */
    interface Answerer {
        void answer(byte[] packet, int at, int length, InetSocketAddress sender, RadiusClient client);
    }
}
