package io.millrace.measure.run;

import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import org.jspecify.annotations.Nullable;

/** A store without states. */
final class NoStates implements StateStore {

    @Override
    public byte @Nullable [] get(String key) {
        return null;
    }

    @Override
    public void put(String key, byte[] value, Term term) {
        throw none();
    }

    @Override
    public void remove(String key, Term term) {
        throw none();
    }

    private static IllegalStateException none() {
        return new IllegalStateException("States are not stored.");
    }

    @Override
    public boolean lasting() {
        return false;
    }
}
