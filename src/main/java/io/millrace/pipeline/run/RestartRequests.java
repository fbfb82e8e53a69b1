package io.millrace.pipeline.run;

import io.millrace.pipeline.run.RestartRefusedException.Reason;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Requests to restart a pipeline. Requests that arrive before the pipeline has begun to process records again share one
 * restart. Any thread requests; the pipeline's thread restarts the pipeline and completes the requests.
 */
public final class RestartRequests {

    private final Runnable wake;
    private volatile boolean requested;
    /** What the callers wait for; null if nobody does. Guarded by this, as the rest. */
    private @Nullable CompletableFuture<Long> restart;

    private @Nullable String end;

    /** @param wake ends the pauses of the pipeline's thread, which then calls {@link #requested} */
    public RestartRequests(Runnable wake) {
        this.wake = wake;
    }

    /**
     * Requests a restart.
     *
     * @return completes with the feed position from which the pipeline continues, or with a
     *     {@link RestartRefusedException}
     */
    public CompletableFuture<Long> request() {
        CompletableFuture<Long> result;
        synchronized (this) {
            if (end != null) {
                return CompletableFuture.failedFuture(new RestartRefusedException(Reason.STOPPED, end));
            }
            if (restart == null) {
                restart = new CompletableFuture<>();
                requested = true;
            }
            // A copy, so that no caller can complete the requests of the others.
            result = restart.copy();
        }
        wake.run();
        return result;
    }

    /** Returns whether a restart is requested that has not been taken. */
    public boolean requested() {
        return requested;
    }

    /** Called before each term: it is the restart that was requested, if any. */
    synchronized void take() {
        requested = false;
    }

    /** Completes the requests: the pipeline has begun a term. Does nothing if it has to begin another one. */
    synchronized void begun(long position) {
        if (restart != null && !requested) {
            restart.complete(position);
            restart = null;
        }
    }

    /** Refuses the requests: the pipeline has failed again. Does nothing if it has to begin another term. */
    synchronized void failed(String why) {
        if (!requested) {
            refuse(Reason.FAILED, why);
        }
    }

    /** Refuses the requests: another process runs the pipeline. */
    synchronized void standby(String why) {
        refuse(Reason.STANDBY, why);
    }

    /** Refuses all requests from now on: the pipeline was stopped. */
    synchronized void end(String why) {
        end = why;
        refuse(Reason.STOPPED, why);
    }

    private void refuse(Reason reason, String why) {
        if (restart != null) {
            restart.completeExceptionally(new RestartRefusedException(reason, why));
            restart = null;
        }
        requested = false;
    }
}
