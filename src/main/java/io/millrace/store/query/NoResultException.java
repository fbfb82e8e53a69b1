package io.millrace.store.query;

import io.millrace.store.error.StoreException;

/**
 * Thrown when a stored record has no value for a field that is read: a virtual field has no result, or the bytes are
 * not a value of the field's type, such as a code without a name. The message names the field or the expression.
 */
public final class NoResultException extends StoreException {

    private static final long serialVersionUID = 1;

    public NoResultException(String message) {
        super(message);
    }
}
