package io.millrace.store;

import io.millrace.codec.RawBytes;
import org.jspecify.annotations.Nullable;

/** Keeps what parts of pipelines know beside records, in bytes by name. Thread-safe. */
public interface StateStore {

    /** Length in bytes of the header of a state. */
    int HEADER_LENGTH = 36;

    /** Where in a header the number of the state is. */
    int NUMBER_AT = 24;

    /** Longest value, in bytes, that should be put: what is longer is cut. */
    int MAX_VALUE_BYTES = 1 << 20;

    /**
     * The value last put under a key, which must not be changed; null where there is none.
     *
     * @throws StoreException where the store does not answer
     */
    byte @Nullable [] get(String key);

    /**
     * Puts a value, in the place of what was there.
     *
     * @param value not copied
     * @param term of the writer that the value belongs to
     * @throws StoreException where that fails: call again
     * @throws SupersededException where the term has ended
     */
    void put(String key, byte[] value, Term term);

    /**
     * Returns whether a value is the header of a state, and not of none: its number, at byte 24, is above 0. Pieces,
     * which are put before their header, are none.
     */
    static boolean holdsState(byte[] value) {
        return value.length == HEADER_LENGTH && RawBytes.getLong(value, NUMBER_AT) > 0;
    }

    /** Whether what is put outlasts this process. */
    boolean lasting();
}
