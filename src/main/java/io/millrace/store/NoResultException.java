package io.millrace.store;

/** A virtual field that has no result for a record; the message tells the expression and what it read. */
public final class NoResultException extends RuntimeException {

    NoResultException(String message) {
        super(message);
    }
}
