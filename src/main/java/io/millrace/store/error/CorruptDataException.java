package io.millrace.store.error;

import io.millrace.background.FailureCode;
import org.jspecify.annotations.Nullable;

/** Thrown when stored data is corrupt; the message names region and key. Retrying does not help. */
public final class CorruptDataException extends StoreException {

    private static final long serialVersionUID = 1;

    public CorruptDataException(String message, @Nullable Throwable cause) {
        super(FailureCode.CORRUPT_DATA.message(message), cause);
    }
}
