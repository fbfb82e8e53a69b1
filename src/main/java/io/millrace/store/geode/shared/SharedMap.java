package io.millrace.store.geode.shared;

import io.millrace.store.error.StoreException;
import io.millrace.store.error.SupersededException;
import io.millrace.store.write.Term;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A small map that all processes of a cluster share; of a process that runs alone, a local one. Changes of one key are
 * serialized across all processes, and visible to all servers when the call returns. So that a process which was
 * superseded can't change anything, even by a request that arrives late, a change has a term, or compares with the
 * value that it replaces, or is under a key that no other process writes. Each method throws a {@link StoreException}
 * if the store does not answer. Thread-safe.
 *
 * @param <V> String or byte[]
 */
public interface SharedMap<V> {

    @Nullable
    V get(String key);

    /** Returns a value as it is stored: a checksum may follow it, and is not verified. */
    @Nullable
    V peek(String key);

    /** Returns all keys. */
    Set<String> keys();

    /** Returns the values of some keys, in as few requests as possible. Keys without a value are missing. */
    Map<String, V> getAll(Collection<String> keys);

    /** Returns the values of all keys that a condition accepts. */
    default Map<String, V> getAll(Predicate<String> condition) {
        return getAll(keys().stream().filter(condition).toList());
    }

    /**
     * Puts a value in a term.
     *
     * @throws SupersededException if the term has ended
     */
    void put(String key, V value, Term term);

    /** Puts a value under a key that no other process writes. */
    void putOwn(String key, V value);

    /** Puts a value if the key has none, and returns null; otherwise returns the existing value. */
    @Nullable
    V putIfAbsent(String key, V value);

    /** Replaces a value by another, and returns whether the expected value was present. */
    boolean replace(String key, V expected, V value);

    /**
     * Removes a value in a term, if present.
     *
     * @throws SupersededException if the term has ended
     */
    void remove(String key, Term term);

    /** Removes a value under a key that no other process writes, if present. */
    void removeOwn(String key);

    /** Removes a value if it is the expected one, and returns whether it was. */
    boolean remove(String key, V expected);
}
