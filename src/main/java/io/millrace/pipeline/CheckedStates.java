package io.millrace.pipeline;

import io.millrace.store.DefinitionChangedException;
import io.millrace.store.StateStore;
import io.millrace.store.Term;
import org.jspecify.annotations.Nullable;

/**
 * States of a measure that nobody reads before its definition was compared with the stored one. Not thread-safe, as a
 * measure is not.
 */
final class CheckedStates implements StateStore {

    private final StateStore states;
    private final Runnable check;
    private boolean checked;

    /** @param check throws a {@link DefinitionChangedException} where the stored state can't be used */
    CheckedStates(StateStore states, Runnable check) {
        this.states = states;
        this.check = check;
    }

    /**
     * @throws IllegalStateException where the state can't be used: other than a store that fails, retries don't help
     */
    @Override
    public byte @Nullable [] get(String key) {
        if (!checked) {
            try {
                check.run();
            } catch (DefinitionChangedException e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
            checked = true;
        }
        return states.get(key);
    }

    @Override
    public void put(String key, byte[] value, Term term) {
        states.put(key, value, term);
    }

    @Override
    public boolean lasting() {
        return states.lasting();
    }
}
