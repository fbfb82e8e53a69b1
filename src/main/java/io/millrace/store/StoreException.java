package io.millrace.store;

import org.jspecify.annotations.Nullable;

/** Something that the store could not do; the message names region and key. */
public class StoreException extends RuntimeException {

    public StoreException(String message) {
        this(message, null);
    }

    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
