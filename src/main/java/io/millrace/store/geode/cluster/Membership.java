package io.millrace.store.geode.cluster;

import io.millrace.background.BackgroundTask;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains this process' membership in its cluster: joins, and rejoins after each forced disconnect or failed attempt,
 * without limit. The other members remove a member that they can't reach, for example because of a pause or a network
 * partition. Its view of the cluster is then obsolete, so it restarts completely. Errors of the JVM, such as a class
 * that can't be loaded or a thread that can't be started, do not stop this either: they are logged, and the attempt is
 * repeated.
 *
 * <p>Runs on a dedicated thread. Thread-safe.
 */
public final class Membership<M extends Member> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(200);
    private static final Duration FIRST_RETRY_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(10);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

    private final String role;
    private final Supplier<M> joining;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private final BackgroundTask task = new BackgroundTask("geode-membership");
    private volatile @Nullable M member;
    private volatile String state = "has not joined the cluster yet";

    /**
     * Creates a membership that has not been started.
     *
     * @param role role of the process, for log messages
     * @param joining joins the cluster and returns once everything is open
     */
    public Membership(String role, Supplier<M> joining) {
        this.role = role;
        this.joining = joining;
        this.thread = new Thread(this::run, "geode-membership");
    }

    /** Starts to join. */
    public void start() {
        thread.start();
    }

    /** Returns the member, or null while this process is not in the cluster. */
    @Nullable
    public M member() {
        return member;
    }

    /** Returns the task that maintains the membership, for health checks. */
    public BackgroundTask task() {
        return task;
    }

    /** Returns a readable description of the state. */
    public String state() {
        return state;
    }

    private void run() {
        Duration delay = FIRST_RETRY_DELAY;
        while (stopped.getCount() > 0) {
            if (joinedOrFailed()) {
                delay = FIRST_RETRY_DELAY;
            }
            sleep(delay);
            delay = delay.multipliedBy(2).compareTo(MAX_RETRY_DELAY) > 0 ? MAX_RETRY_DELAY : delay.multipliedBy(2);
        }
    }

    /** Errors must not end the thread, even if they occur while a failure is logged. */
    private boolean joinedOrFailed() {
        try {
            return joined();
        } catch (Throwable e) {
            task.recordFailure(e);
            return false;
        }
    }

    /** Joins and stays until a forced disconnect or stop; returns whether the join succeeded. */
    private boolean joined() {
        try (M joined = joining.get()) {
            member = joined;
            state = "is in the cluster";
            task.recordSuccess();
            LOG.info("Joined the cluster: role={}", role);
            while (joined.isOpen() && stopped.getCount() > 0) {
                sleep(CHECK_INTERVAL);
            }
            member = null;
            if (stopped.getCount() > 0) {
                logReason(joined.failure());
            }
            return true;
        } catch (RuntimeException e) {
            member = null;
            task.recordFailure(e);
            state = "can't join the cluster: " + e.getMessage();
            LOG.warn("Can't join the cluster, retrying: role={} reason={}", role, e.getMessage());
            return false;
        } catch (Error e) {
            member = null;
            task.recordFailure(e);
            state = "can't be in the cluster: " + e;
            LOG.error("Failed in the cluster, rejoining: role={}", role, e);
            return false;
        }
    }

    private void logReason(@Nullable String failure) {
        if (failure == null) {
            state = "was removed from the cluster and rejoins";
            LOG.warn("Removed from the cluster because its members could not reach it, rejoining: role={}", role);
        } else {
            state = "left the cluster and rejoins: " + failure;
            LOG.warn("Left the cluster, rejoining: role={} reason={}", role, failure);
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
                LOG.warn("Did not leave the cluster in time: role={} timeout={}", role, STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
