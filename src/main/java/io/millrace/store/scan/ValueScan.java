package io.millrace.store.scan;

import io.millrace.store.block.BlockChecks;

/** Receives the values of a region one after the other. Not thread-safe. */
public interface ValueScan {

    /** Returns whether further values could still be part of the result. */
    boolean wanted();

    /** Returns whether the current part is full. */
    boolean full();

    /**
     * Receives a stored block.
     *
     * @param checks of the region's blocks
     * @throws io.millrace.store.block.BlockFormatException if the value is not a block
     */
    void block(long key, byte[] value, BlockChecks checks);

    /**
     * Receives an entry: a record that is a value of its own.
     *
     * @throws io.millrace.store.error.CorruptDataException if its checksum, or that of an entry before, is wrong
     * @throws io.millrace.store.error.StoreException if it, or an entry before, has the length of no version of the
     *     schema
     */
    void entry(Object key, byte[] value);

    /** Processes the entries received so far; throws an exception as {@link #entry} does. */
    void flush();
}
