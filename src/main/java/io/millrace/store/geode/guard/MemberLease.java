package io.millrace.store.geode.guard;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server's right to answer from its own data: a lease (Gray and Cheriton, 1989). The others remove a member of which
 * they have heard nothing for the member timeout, and then change data without it. One that stood still, or could not
 * send or receive meanwhile, learns of it later, and until then would return what is obsolete.
 *
 * <p>A server therefore {@linkplain LeaseRenewal asks all others} in rounds. The lease lasts for the member timeout
 * from the start of the latest round that was answered by so many members that the rest can't remove it, because
 * members with less than half of the weight of all end. The time of the request counts, not that of the answer, so that
 * an answer that waited in a buffer extends nothing.
 *
 * <p>Once it has ended, the lease begins again with an answered round that starts half of the member timeout after the
 * first one: members that are about to remove this one have done so by then, and answer no requests of a process that
 * they removed. Without other members, there is nobody who could remove this one.
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
    /** Rounds in a member timeout, so that a lost datagram or two do not end the lease. */
    static final int ROUNDS = 4;
    /** Later answers would extend nothing. */
    private static final int OPEN_ROUNDS = 2 * ROUNDS;
    /** Geode counts its own requests from 0. */
    private static final int FIRST_REQUEST = 1 << 30;

    private final LongSupplier clock;
    /** The member timeout, 0 if this process is not a server of a cluster. */
    private final long timeoutNanos;
    /** Not known to a process that has not received one of the requests. */
    private final int firstRequest = ThreadLocalRandom.current().nextInt(FIRST_REQUEST, FIRST_REQUEST + (1 << 29));

    private final long[] started = new long[OPEN_ROUNDS];
    private int rounds;
    private @Nullable Thread renewal;

    private Voters voters = new Voters(0, Map.of());
    /** The start of the latest round that each of the others has answered. */
    private final Map<Object, Long> answered = new HashMap<>();

    private volatile boolean alone = true;
    /** The start of the latest round that enough members have answered. */
    private volatile long since;
    /** Whether the lease has ended and not begun again. */
    private volatile boolean ended;

    private long answeredAgain;

    /**
     * The members of a cluster.
     *
     * @param own weight of this process
     * @param others weights of the others
     */
    record Voters(int own, Map<Object, Integer> others) {

        Voters {
            others = Map.copyOf(others);
        }

        private int total() {
            return own + others.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

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

    /** Returns the time between two rounds. */
    long periodNanos() {
        return timeoutNanos / ROUNDS;
    }

    /** Sets the thread that is to start a round at once when the members change. */
    synchronized void renewedBy(Thread thread) {
        renewal = thread;
    }

    /** Notes how many members there are, this one included. */
    synchronized void members(int count) {
        if (alone && count > 1) {
            ended = false;
            since = clock.getAsLong();
        }
        alone = count <= 1;
        LockSupport.unpark(renewal);
    }

    /** Notes who the members are. */
    synchronized void members(Voters members) {
        voters = members;
        answered.keySet().retainAll(members.others().keySet());
        extend();
    }

    /** Starts a round, and returns the number of its request to all others. */
    synchronized int ask() {
        started[rounds % OPEN_ROUNDS] = clock.getAsLong();
        return firstRequest + rounds++;
    }

    /** Notes the answer to a request. Others than those of the latest rounds are ignored. */
    synchronized void answered(Object member, int request) {
        int round = request - firstRequest;
        if (round < Math.max(0, rounds - OPEN_ROUNDS)
                || round >= rounds
                || !voters.others().containsKey(member)) {
            return;
        }
        answered.merge(member, started[round % OPEN_ROUNDS], MemberLease::later);
        extend();
    }

    private static long later(long a, long b) {
        return a - b > 0 ? a : b;
    }

    private void extend() {
        Long start = latestRound();
        if (start == null || start - since <= 0) {
            return;
        }
        if (clock.getAsLong() - since > timeoutNanos) {
            ended = true;
            answeredAgain = start;
        } else if (ended && start - answeredAgain >= timeoutNanos / 2) {
            ended = false;
        }
        since = start;
    }

    /** Returns the start of the latest round that at least half of the weight has answered, this member included. */
    private @Nullable Long latestRound() {
        List<Map.Entry<Object, Long>> latestFirst = answered.entrySet().stream()
                .sorted((a, b) -> Long.signum(b.getValue() - a.getValue()))
                .toList();
        int weight = voters.own();
        int total = voters.total();
        for (Map.Entry<Object, Long> answer : latestFirst) {
            weight += voters.others().getOrDefault(answer.getKey(), 0);
            if (2 * weight >= total) {
                return answer.getValue();
            }
        }
        return null;
    }

    /** Returns whether this process was a member until now, so that what it has read is what others read. */
    public boolean held() {
        if (timeoutNanos == 0 || alone) {
            return true;
        }
        long now = clock.getAsLong();
        // In this order: the end is noted before the lease is extended.
        return now - since <= timeoutNanos && !ended;
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
