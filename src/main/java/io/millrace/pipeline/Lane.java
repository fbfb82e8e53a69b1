package io.millrace.pipeline;

import io.millrace.pipeline.PartitionLoop.Turn;
import io.millrace.pipeline.step.Pauses;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that turns partitions of a pipeline, one after the other, with its use of time and memory. A lane without
 * work takes over a partition of another lane that has more than one with work. Lanes share no lock and no queue: who
 * turns a partition is an atomic field of the partition.
 *
 * <p>Any thread may start a lane and read its numbers.
 */
final class Lane {

    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration MAX_IDLE_WAIT = Duration.ofMillis(64);
    private static final Duration ALONE = Duration.ofDays(1);
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final String name;
    private final List<Partition> partitions;
    private final Pauses pauses;
    private final Thread thread;
    private volatile long startedNanos = System.nanoTime();
    private volatile long allocatedAtEnd;
    private Duration idleWait = Duration.ZERO;

    /**
     * @param name name of the thread
     * @param partitions all partitions of the pipeline; those that are turned by this lane are assigned to it
     * @param pauses end when the pipeline stops
     */
    Lane(String name, List<Partition> partitions, Pauses pauses) {
        this.name = name;
        this.partitions = List.copyOf(partitions);
        this.pauses = pauses;
        this.thread = new Thread(this::runThread, name);
    }

    private void runThread() {
        try {
            run();
        } finally {
            allocatedAtEnd = THREADS.getCurrentThreadAllocatedBytes();
        }
    }

    /** Turns partitions on the calling thread until all of the pipeline have ended. */
    void run() {
        while (!allEnded()) {
            round();
        }
    }

    private boolean allEnded() {
        for (Partition partition : partitions) {
            if (!partition.ended()) {
                return false;
            }
        }
        return true;
    }

    private void round() {
        int turned = 0;
        int worked = 0;
        int own = own();
        for (Partition partition : partitions) {
            if (partition.acquire(this)) {
                try {
                    turned++;
                    worked += partition.turn(wait(own)) == Turn.WORKED ? 1 : 0;
                } finally {
                    partition.release();
                }
            }
        }
        if (worked > 0) {
            idleWait = Duration.ZERO;
        } else if (partitions.size() > 1 && !takeOver()) {
            idleWait = idleWait.isZero() ? Duration.ofMillis(1) : shorter(idleWait.multipliedBy(2), MAX_IDLE_WAIT);
            if (turned == 0) {
                pauses.pause(idleWait);
            }
        }
    }

    private int own() {
        int own = 0;
        for (Partition partition : partitions) {
            own += partition.isOf(this) && !partition.ended() ? 1 : 0;
        }
        return own;
    }

    /** Returns how long a partition may wait for records: a lane that has several divides its wait among them. */
    private Duration wait(int own) {
        return partitions.size() == 1 ? ALONE : idleWait.dividedBy(Math.max(1, own));
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Takes a partition with work from a lane that has others. Returns whether there was one. */
    private boolean takeOver() {
        for (Partition partition : partitions) {
            Lane lane = partition.lane();
            if (lane != this && partition.working() && lane.working() > 1 && partition.move(lane, this)) {
                LOG.debug("Partition moves: from={} to={}", lane.name, name);
                return true;
            }
        }
        return false;
    }

    private int working() {
        int working = 0;
        for (Partition partition : partitions) {
            working += partition.isOf(this) && partition.working() ? 1 : 0;
        }
        return working;
    }

    void start() {
        startedNanos = System.nanoTime();
        thread.start();
    }

    /** Waits until it has ended, but not for ever. */
    void awaitEnd() {
        try {
            if (!thread.join(STOP_TIMEOUT)) {
                LOG.warn("Lane {} did not stop in time: timeout={}", name, STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the thread has ended. */
    boolean ended() {
        return thread.getState() == Thread.State.TERMINATED;
    }

    long startedNanos() {
        return startedNanos;
    }

    long allocatedBytes() {
        // The JVM returns -1 for a thread that has ended.
        long allocated = THREADS.getThreadAllocatedBytes(thread.threadId());
        return allocated < 0 ? allocatedAtEnd : allocated;
    }
}
