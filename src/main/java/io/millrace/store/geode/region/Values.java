package io.millrace.store.geode.region;

import io.millrace.store.error.StoreException;
import io.millrace.store.error.SupersededException;
import io.millrace.store.write.Term;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of a region as its writers use them. Every write carries the writer's {@linkplain Term term}, and is
 * refused with a {@link SupersededException} if the term has ended: the check and the write are atomic for each key.
 * Any other failure is a {@link StoreException}; the call may be repeated, and may have been carried out. Thread-safe.
 */
public interface Values {

    /** Returns the region's name. */
    String name();

    /** Returns all keys of the region, on all members. */
    Set<Object> keys();

    byte @Nullable [] get(Object key);

    /** Puts one value. Returns the duration in nanoseconds. */
    long put(Object key, byte[] value, Term term);

    /** Puts many values, in any order. Returns the duration in nanoseconds. */
    long putAll(Map<Object, byte[]> values, Term term);

    /**
     * Puts a value if the key has none.
     *
     * @return the existing value, or null if this one was put
     */
    byte @Nullable [] putIfAbsent(Object key, byte[] value, Term term);

    /** Removes the values that exist. Returns the duration in nanoseconds. */
    long removeAll(Collection<?> keys, Term term);
}
