package io.millrace.store.error;

/** Thrown when nothing is stored under a name that was given to remove or reset it. */
public final class NotStoredException extends StoreException {

    private static final long serialVersionUID = 1;

    public NotStoredException(String message) {
        super(message);
    }
}
