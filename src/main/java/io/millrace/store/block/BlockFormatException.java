package io.millrace.store.block;

import io.millrace.store.error.StoreException;

/** Thrown when bytes are not a block, or not one of the expected schema; the message names the error. */
public final class BlockFormatException extends StoreException {

    public BlockFormatException(String message) {
        super(message);
    }
}
