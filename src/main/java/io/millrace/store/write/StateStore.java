package io.millrace.store.write;

import io.millrace.codec.RawBytes;
import org.jspecify.annotations.Nullable;

/** Stores states of pipelines in addition to records, as bytes by name. Thread-safe. */
public interface StateStore {

    /** Length in bytes of the header of a state. */
    int HEADER_LENGTH = 36;

    /** Offset of the number of the state in a header. */
    int NUMBER_AT = 24;

    /** Maximum length, in bytes, of a value to put: callers split longer ones. */
    int MAX_VALUE_BYTES = 1 << 20;

    /**
     * Returns the value last put under a key, which must not be changed; null if there is none.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    byte @Nullable [] get(String key);

    /**
     * Puts a value, which replaces an existing one.
     *
     * @param value not copied
     * @param term of the writer that the value belongs to
     * @throws io.millrace.store.error.StoreException if that fails: call again
     * @throws io.millrace.store.error.SupersededException if the term has ended
     */
    void put(String key, byte[] value, Term term);

    /**
     * Removes a value, if there is one.
     *
     * @param term of the writer that no longer needs the value
     * @throws io.millrace.store.error.StoreException if that fails: call again
     * @throws io.millrace.store.error.SupersededException if the term has ended
     */
    void remove(String key, Term term);

    /**
     * Returns whether a value is the header of an existing state: its number, at byte 24, is above 0. Pieces, which are
     * put before their header, are not headers.
     */
    static boolean holdsState(byte[] value) {
        return value.length == HEADER_LENGTH && RawBytes.getLong(value, NUMBER_AT) > 0;
    }

    /** Returns whether stored values outlast this process. */
    boolean lasting();
}
