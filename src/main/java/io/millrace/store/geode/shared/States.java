package io.millrace.store.geode.shared;

import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import org.jspecify.annotations.Nullable;

/**
 * The states of measures, stored in a map.
 *
 * @param map of all states
 * @param lasting whether it outlasts this process
 */
public record States(SharedMap<byte[]> map, boolean lasting) implements StateStore {

    @Override
    public byte @Nullable [] get(String key) {
        return map.get(key);
    }

    @Override
    public void put(String key, byte[] value, Term term) {
        map.put(key, value, term);
    }

    @Override
    public void remove(String key, Term term) {
        map.remove(key, term);
    }

    /** Returns 1 if a measure has a state, else 0; a header that is put before the first state contains none. */
    public static long count(SharedMap<byte[]> states, String measure) {
        for (String key : states.keys()) {
            if (StoredDefinition.isStateKey(measure, key)) {
                byte[] header = states.get(key);
                if (header != null && StateStore.holdsState(header)) {
                    return 1;
                }
            }
        }
        return 0;
    }
}
