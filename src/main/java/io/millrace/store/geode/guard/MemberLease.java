package io.millrace.store.geode.guard;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * A server's right to answer from its own data: a lease (Gray and Cheriton, 1989), which each accepted datagram
 * extends. The others remove a member that has not answered for the member timeout, and then change data without it.
 * One that stood still or received nothing meanwhile learns of it later, and until then would return what is obsolete.
 *
 * <p>The lease ends once nothing was received for the member timeout. It begins again with a datagram that arrives half
 * of that time or more after the first one: the first ones may have waited in a buffer, and members send no signs of
 * life to a process that they removed. Without other members, there is nobody who could remove this one.
 *
 * <p>It does not cover a process that receives datagrams but can't send any, or two that are cut off from the rest
 * together: they keep the lease until they learn that they were removed.
 *
 * <p>A reader must have the lease <em>after</em> it has read, since the process may stand still at any moment.
 * Thread-safe.
 */
public final class MemberLease {

    private static volatile MemberLease current = new MemberLease(System::nanoTime, Duration.ZERO);

    private static final long POLL_NANOS = 1_000_000;
    /**
     * Longer than members need to remove one that is missing: one timeout until they suspect it, one for their check.
     */
    private static final int MAX_TIMEOUTS = 4;

    private final LongSupplier clock;
    /** The member timeout, 0 if this process is not a server of a cluster. */
    private final long timeoutNanos;

    private volatile boolean alone = true;
    private volatile long lastHeard;
    /** Whether all datagrams since a silence may have waited in a buffer. */
    private volatile boolean resumed;

    private long resumedAt;

    /** @param timeout member timeout; zero if this process is not a server of a cluster */
    MemberLease(LongSupplier clock, Duration timeout) {
        this.clock = clock;
        timeoutNanos = timeout.toNanos();
    }

    /**
     * Begins the lease of a process that is about to start Geode. What was read before it needs the former lease.
     *
     * @param timeout member timeout; zero if this process is not a server of a cluster
     */
    public static void begin(Duration timeout) {
        current = new MemberLease(System::nanoTime, timeout);
    }

    /** Returns the lease of this process, in which there is one Geode at a time; to be called before a read. */
    public static MemberLease current() {
        return current;
    }

    /** Notes how many members there are, this one included. */
    synchronized void members(int count) {
        if (alone && count > 1) {
            resumed = false;
            lastHeard = clock.getAsLong();
        }
        alone = count <= 1;
    }

    /** Notes that a datagram was accepted. */
    synchronized void heard() {
        long now = clock.getAsLong();
        if (now - lastHeard > timeoutNanos) {
            resumed = true;
            resumedAt = now;
        } else if (resumed && now - resumedAt >= timeoutNanos / 2) {
            resumed = false;
        }
        lastHeard = now;
    }

    /** Returns whether this process was a member until now, so that what it has read is what others read. */
    public boolean held() {
        if (timeoutNanos == 0 || alone) {
            return true;
        }
        long now = clock.getAsLong();
        // In this order: a silence is noted before it ends.
        return now - lastHeard <= timeoutNanos && !resumed;
    }

    /**
     * Waits until {@link #held}.
     *
     * @param useless whether the answer is not needed any more
     * @throws InterruptedIOException if that is not the case for four member timeouts, the answer is not needed, or the
     *     thread is interrupted
     */
    public void await(BooleanSupplier useless) throws InterruptedIOException {
        if (held()) {
            return;
        }
        long start = clock.getAsLong();
        while (!held()) {
            if (useless.getAsBoolean()
                    || Thread.currentThread().isInterrupted()
                    || clock.getAsLong() - start > MAX_TIMEOUTS * timeoutNanos) {
                throw new InterruptedIOException("This server may have been removed from its cluster.");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
