package io.millrace.store.geode.write;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/** Runs puts, and waits for them. */
public interface PutExecutor extends Executor {

    /** Runs each put on the calling thread. */
    PutExecutor SAME_THREAD = Runnable::run;

    /** Returns an executor that uses other threads. */
    static PutExecutor of(Executor threads) {
        return threads::execute;
    }

    /**
     * Waits until a put has succeeded or failed, even if interrupted: an interrupt must not separate a writer from its
     * puts.
     */
    default void await(Future<?> put) {
        boolean interrupted = false;
        try {
            while (!put.isDone()) {
                try {
                    put.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    return; // the caller reads the failure from the put
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
