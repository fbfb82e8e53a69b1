package io.millrace.store.geode;

import io.millrace.store.StoreException;
import io.millrace.store.SupersededException;
import io.millrace.store.Term;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A small map that all processes of a cluster share; alone, one of this process. Changes of one key happen one after
 * the other, wherever they come from, and are seen by all servers when the call returns. Each method throws a
 * {@link StoreException} where the store does not answer. Thread-safe.
 *
 * @param <V> String or byte[]
 */
interface SharedMap<V> {

    @Nullable
    V get(String key);

    /** Returns all keys. */
    Set<String> keys();

    /**
     * Puts a value.
     *
     * @param term that the write belongs to; null for maps that are not part of any pipeline's data
     * @throws SupersededException where the term has ended
     */
    void put(String key, V value, @Nullable Term term);

    /** Puts a value where there is none, and returns null; else returns the value that is there. */
    @Nullable
    V putIfAbsent(String key, V value);

    /** Replaces a value by another, and returns whether it was the value expected. */
    boolean replace(String key, V expected, V value);

    /** Removes a value, if it is there. */
    void remove(String key, @Nullable Term term);
}
