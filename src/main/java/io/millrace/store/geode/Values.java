package io.millrace.store.geode;

import io.millrace.store.StoreException;
import io.millrace.store.SupersededException;
import io.millrace.store.Term;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of a region as its writers use them. Every write carries the writer's {@linkplain Term term}, and is
 * refused with a {@link SupersededException} where that has ended: the check and the write are one step for each key.
 * Whatever else fails is a {@link StoreException}; the call may be made again, and may have been carried out.
 * Thread-safe.
 */
interface Values {

    /** Returns the region's name. */
    String name();

    /** Returns all keys of the region, wherever they are stored. */
    Set<Object> keys();

    byte @Nullable [] get(Object key);

    /** Puts one value. Returns how long that took, in nanoseconds. */
    long put(Object key, byte[] value, Term term);

    /** Puts many values, in any order. Returns how long that took, in nanoseconds. */
    long putAll(Map<Object, byte[]> values, Term term);

    /**
     * Puts a value where there is none.
     *
     * @return the value that is there already, or null where this one was put
     */
    byte @Nullable [] putIfAbsent(Object key, byte[] value, Term term);

    /** Removes values, as far as they are there. Returns how long that took, in nanoseconds. */
    long removeAll(Collection<?> keys, Term term);
}
