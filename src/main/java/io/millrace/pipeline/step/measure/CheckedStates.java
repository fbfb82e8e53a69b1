package io.millrace.pipeline.step.measure;

import io.millrace.store.error.DefinitionChangedException;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import org.jspecify.annotations.Nullable;

/**
 * A state store that validates the measure's definition against the stored one before the first read. Not thread-safe,
 * like a measure's processor.
 */
final class CheckedStates implements StateStore {

    private final StateStore states;
    private final Runnable check;
    private boolean checked;

    /** @param check throws a {@link DefinitionChangedException} if the stored state cannot be used */
    CheckedStates(StateStore states, Runnable check) {
        this.states = states;
        this.check = check;
    }

    /** @throws IllegalStateException if the state cannot be used; unlike for a store failure, a retry does not help */
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
    public void remove(String key, Term term) {
        states.remove(key, term);
    }

    @Override
    public boolean lasting() {
        return states.lasting();
    }
}
