package io.millrace.store.geode;

import io.millrace.store.StateStore;
import io.millrace.store.StoreException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * States in a map.
 *
 * @param kept a region, or a map of this process
 * @param lasting whether it outlasts this process
 */
record States(Map<String, byte[]> kept, boolean lasting) implements StateStore {

    @Override
    public byte @Nullable [] get(String key) {
        try {
            return kept.get(key);
        } catch (RuntimeException e) {
            throw new StoreException("get of state key=" + key + " failed: " + Causes.first(e), e);
        }
    }

    @Override
    public void put(String key, byte[] value) {
        try {
            kept.put(key, value);
        } catch (RuntimeException e) {
            throw new StoreException("put of state key=" + key + " failed: " + Causes.first(e), e);
        }
    }
}
