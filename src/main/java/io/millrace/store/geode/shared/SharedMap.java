package io.millrace.store.geode.shared;

import io.millrace.store.error.StoreException;
import io.millrace.store.error.SupersededException;
import io.millrace.store.write.Term;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A small map that all processes of a cluster share; of a process that runs alone, a local one. Changes of one key are
 * serialized across all processes, and visible to all servers when the call returns. Each method throws a
 * {@link StoreException} if the store does not answer. Thread-safe.
 *
 * @param <V> String or byte[]
 */
public interface SharedMap<V> {

    @Nullable
    V get(String key);

    /** Returns all keys. */
    Set<String> keys();

    /**
     * Puts a value.
     *
     * @param term of the write; null for maps that are not part of any pipeline's data
     * @throws SupersededException if the term has ended
     */
    void put(String key, V value, @Nullable Term term);

    /** Puts a value if the key has none, and returns null; otherwise returns the existing value. */
    @Nullable
    V putIfAbsent(String key, V value);

    /** Replaces a value by another, and returns whether the expected value was present. */
    boolean replace(String key, V expected, V value);

    /** Removes a value, if present. */
    void remove(String key, @Nullable Term term);
}
