package io.millrace.store.geode;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/** Makes puts, and waits for them. */
interface PutExecutor extends Executor {

    /** Makes each put in the thread that asks for it. */
    PutExecutor SAME_THREAD = Runnable::run;

    /** Returns an executor that uses other threads. */
    static PutExecutor of(Executor threads) {
        return threads::execute;
    }

    /**
     * Waits until a put has ended, well or not, whatever happens: an interrupt must not part a writer from its puts.
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
                    return; // the caller asks the put for its failure
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
