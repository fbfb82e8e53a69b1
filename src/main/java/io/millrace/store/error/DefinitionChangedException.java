package io.millrace.store.error;

/**
 * Thrown when stored data can't be used with the configured definition; the message names the differences, both
 * definitions, and what to do. Retrying does not help.
 */
public final class DefinitionChangedException extends StoreException {

    private static final long serialVersionUID = 1;

    public DefinitionChangedException(String message) {
        super(message);
    }
}
