package io.millrace.pipeline.run;

import io.millrace.pipeline.run.PartitionLoop.Turn;
import io.millrace.pipeline.step.Pauses;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that turns partitions of a pipeline, one after the other, with its use of time and memory. A lane without
 * work takes over a partition of another lane that has more than one with work. Lanes share no lock and no queue: who
 * turns a partition is an atomic field of the task.
 *
 * <p>Any thread may start a lane and read its numbers.
 */
public final class Lane {

    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration MIN_IDLE_WAIT = Duration.ofMillis(1);
    private static final Duration MAX_IDLE_WAIT = Duration.ofMillis(64);
    private static final int ROUNDS_BETWEEN_BALANCES = 64;
    private static final Duration ALONE = Duration.ofDays(1);
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final String name;
    private final List<LaneTask> tasks;
    private final Pauses pauses;
    private final Thread thread;
    private volatile long startedNanos = System.nanoTime();
    private volatile long allocatedAtEnd;
    private boolean stopped;
    private Duration idleWait = Duration.ZERO;
    private int rounds;

    /**
     * @param name name of the thread
     * @param tasks all partitions of the pipeline; those that are turned by this lane are assigned to it
     * @param pauses end when the pipeline stops
     */
    public Lane(String name, List<LaneTask> tasks, Pauses pauses) {
        this.name = name;
        this.tasks = List.copyOf(tasks);
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

    /** Turns partitions on the calling thread until all have ended, or after a stop until its own have. */
    public void run() {
        int own = own();
        while (!allEnded() && (own > 0 || !stopped)) {
            round(own);
            own = own();
        }
    }

    private boolean allEnded() {
        for (LaneTask task : tasks) {
            if (!task.ended()) {
                return false;
            }
        }
        return true;
    }

    private void round(int own) {
        int turned = 0;
        int worked = 0;
        for (LaneTask task : tasks) {
            Turn turn = task.ended() ? null : task.turn(this, wait(own));
            turned += turn == null ? 0 : 1;
            worked += turn == Turn.WORKED ? 1 : 0;
        }
        boolean balances = tasks.size() > 1 && (worked == 0 || ++rounds % ROUNDS_BETWEEN_BALANCES == 0);
        boolean tookOver = balances && takeOver();
        if (worked > 0 || tookOver) {
            idleWait = Duration.ZERO;
        } else {
            idleWait = idleWait.isZero() ? MIN_IDLE_WAIT : shorter(idleWait.multipliedBy(2), MAX_IDLE_WAIT);
            if (turned == 0) {
                stopped = pauses.pause(idleWait);
            }
        }
    }

    private int own() {
        int own = 0;
        for (LaneTask task : tasks) {
            own += task.isOf(this) && !task.ended() ? 1 : 0;
        }
        return own;
    }

    /** Returns how long a partition may wait for records: a lane that has several divides its wait among them. */
    private Duration wait(int own) {
        return tasks.size() == 1 ? ALONE : idleWait.dividedBy(Math.max(1, own));
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Takes a partition with work from a lane that has at least two more of them. Returns whether there was one. */
    private boolean takeOver() {
        int own = busy();
        for (LaneTask task : tasks) {
            Lane lane = task.lane();
            if (task.busy() && lane.busy() > own + 1 && task.move(lane, this)) {
                LOG.debug("Partition moves: from={} to={}", lane.name, name);
                return true;
            }
        }
        return false;
    }

    private int busy() {
        int busy = 0;
        for (LaneTask task : tasks) {
            busy += task.isOf(this) && task.busy() ? 1 : 0;
        }
        return busy;
    }

    /** Starts the thread. */
    public void start() {
        startedNanos = System.nanoTime();
        thread.start();
    }

    /** Waits until it has ended, but not for ever. */
    public void awaitEnd() {
        try {
            if (!thread.join(STOP_TIMEOUT)) {
                LOG.warn("Lane {} did not stop in time: timeout={}", name, STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the thread has ended. */
    public boolean ended() {
        return thread.getState() == Thread.State.TERMINATED;
    }

    /** Returns when the thread was started, in nanoseconds of {@link System#nanoTime}. */
    public long startedNanos() {
        return startedNanos;
    }

    /** Returns the bytes that the thread has allocated. */
    public long allocatedBytes() {
        // The JVM returns -1 for a thread that has ended.
        long allocated = THREADS.getThreadAllocatedBytes(thread.threadId());
        return allocated < 0 ? allocatedAtEnd : allocated;
    }
}
