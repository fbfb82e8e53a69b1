package io.millrace.store.error;

import io.millrace.background.CauseChain;

/**
 * Thrown when a write is refused because the store was reopened since the writer was claimed. Data of the store in
 * memory is lost, and a write that failed in flight may be stored or not: the pipeline claims its writer again and
 * continues with what is stored, as after a restart.
 */
public class StoreReopenedException extends SupersededException {

    public StoreReopenedException(String message) {
        super(message, null);
    }

    /** Returns whether this exception is among the causes of another one. */
    public static boolean isCauseOf(Throwable failure) {
        return CauseChain.has(failure, StoreReopenedException.class);
    }
}
