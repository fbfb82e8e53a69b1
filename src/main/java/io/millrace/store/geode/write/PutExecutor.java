package io.millrace.store.geode.write;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/** Provides the threads of puts, and waits for puts. */
public interface PutExecutor {

    /** Runs each put on the calling thread. */
    PutExecutor SAME_THREAD = of(Runnable::run);

    /** Returns an executor that runs all puts on these threads. */
    static PutExecutor of(Executor threads) {
        return new PutExecutor() {
            @Override
            public Executor acquire() {
                return threads;
            }

            @Override
            public void release(Executor thread) {
                // it is not exclusive
            }
        };
    }

    /** Returns what runs the attempts of one put. */
    Executor acquire();

    /** Takes back what has run a put that succeeded. */
    void release(Executor thread);

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
