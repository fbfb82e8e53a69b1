package io.millrace.store.geode;

import io.millrace.store.StateStore;
import io.millrace.store.Term;
import org.jspecify.annotations.Nullable;

/**
 * The states of measures, stored in a map.
 *
 * @param map of all states
 * @param lasting whether it outlasts this process
 */
record States(SharedMap<byte[]> map, boolean lasting) implements StateStore {

    @Override
    public byte @Nullable [] get(String key) {
        return map.get(key);
    }

    @Override
    public void put(String key, byte[] value, Term term) {
        map.put(key, value, term);
    }
}
