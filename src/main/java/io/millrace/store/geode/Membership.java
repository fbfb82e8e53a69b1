package io.millrace.store.geode;

import io.millrace.background.BackgroundTask;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this process in its cluster: joins, and joins again whenever it was thrown out or could not join, for as long
 * as it takes. A member is thrown out where the others lost sight of it, such as after a pause or behind a cut network;
 * what it knew of the cluster is worth nothing then, so that it starts anew as a whole. Errors of the JVM, such as a
 * class that can't be loaded or a thread that can't be started, are no end either: they are logged, and it tries again.
 *
 * <p>One thread of its own does this. Thread-safe.
 */
final class Membership<M extends Member> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

    private final String what;
    private final Supplier<M> joining;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private final BackgroundTask task = new BackgroundTask("geode-membership");
    private volatile @Nullable M member;
    private volatile String state = "has not joined the cluster yet";

    /**
     * Does nothing yet.
     *
     * @param what it is, for people to read
     * @param joining joins the cluster and returns once all is there
     */
    Membership(String what, Supplier<M> joining) {
        this.what = what;
        this.joining = joining;
        this.thread = new Thread(this::run, "geode-membership");
    }

    /** Begins to join. */
    void start() {
        thread.start();
    }

    /** The member, or null while this process is not in the cluster. */
    @Nullable
    M member() {
        return member;
    }

    /** Returns what keeps this process in the cluster, for health checks. */
    BackgroundTask task() {
        return task;
    }

    /** For people to read: how it stands. */
    String state() {
        return state;
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        while (stopped.getCount() > 0) {
            if (joinedOrFailed()) {
                pause = FIRST_PAUSE;
            }
            sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
        }
    }

    /** Not even an error while a failure is logged ends the thread. */
    private boolean joinedOrFailed() {
        try {
            return joined();
        } catch (Throwable e) {
            task.recordFailure(e);
            return false;
        }
    }

    /** Joins and stays until it is thrown out or stopped; says whether it could join. */
    private boolean joined() {
        try (M joined = joining.get()) {
            member = joined;
            state = "is in the cluster";
            task.recordSuccess();
            LOG.info("{} is in the cluster and serves", what);
            while (joined.isOpen() && stopped.getCount() > 0) {
                sleep(LOOK_EVERY);
            }
            member = null;
            if (stopped.getCount() > 0) {
                tellWhy(joined.failure());
            }
            return true;
        } catch (RuntimeException e) {
            member = null;
            task.recordFailure(e);
            state = "can't join the cluster: " + e.getMessage();
            LOG.warn("{} can't join the cluster, tries again: {}", what, e.getMessage());
            return false;
        } catch (Error e) {
            member = null;
            task.recordFailure(e);
            state = "can't be in the cluster: " + e;
            LOG.error("{} can't be in the cluster, tries again", what, e);
            return false;
        }
    }

    private void tellWhy(@Nullable String failure) {
        if (failure == null) {
            state = "was thrown out of the cluster and joins again";
            LOG.warn("{} was thrown out of the cluster, whose members lost sight of it: joins again", what);
        } else {
            state = "left the cluster and joins again: " + failure;
            LOG.warn("{} left the cluster, joins again: {}", what, failure);
        }
    }

    private void sleep(Duration time) {
        try {
            var _ = stopped.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            stopped.countDown();
        }
    }

    /** Leaves the cluster, and returns once that is done. */
    @Override
    public void close() {
        stopped.countDown();
        try {
            if (thread.isAlive() && !thread.join(STOP_TIMEOUT)) {
                LOG.warn("{} did not leave the cluster within {}", what, STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
