package io.millrace.store.error;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Thrown when an operation of the store fails; the message names region and key. */
@API(status = API.Status.STABLE)
public class StoreException extends RuntimeException {

    public StoreException(String message) {
        this(message, null);
    }

    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
