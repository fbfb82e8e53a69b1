package io.millrace.store.query;

/**
 * Thrown when a virtual field has no result for a record; the message contains the expression and the values that it
 * read.
 */
public final class NoResultException extends RuntimeException {

    NoResultException(String message) {
        super(message);
    }
}
