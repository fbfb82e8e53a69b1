package io.millrace.store;

import org.jspecify.annotations.Nullable;

/** Keeps what parts of pipelines know beside records, in bytes by name. Thread-safe. */
public interface StateStore {

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
     * @throws StoreException where that fails: call again
     */
    void put(String key, byte[] value);

    /** Whether what is put outlasts this process. */
    boolean lasting();
}
