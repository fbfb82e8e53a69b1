package io.millrace.store.geode.query;

import io.millrace.store.error.StoreException;

/** Thrown if a query can't be answered because buckets moved or a member left: another attempt may succeed. */
final class MovedException extends StoreException {

    private static final long serialVersionUID = 1;

    MovedException(String message, Throwable cause) {
        super(message, cause);
    }
}
