package io.millrace.store;

/** Bytes that are no block, or not one of the schema expected; the message names what is wrong. */
public final class BlockFormatException extends StoreException {

    public BlockFormatException(String message) {
        super(message);
    }
}
