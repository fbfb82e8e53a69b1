package io.millrace.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number that one thread changes and any thread may read: no lock, no contended write. What the owner did before it
 * changed the number, a reader of the new number sees too.
 */
public final class Counter {

    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value;

    /** Raises the number; only the owning thread may. */
    public void add(long howMuch) {
        VALUE.setRelease(this, value + howMuch);
    }

    /** Sets the number; only the owning thread may. */
    public void set(long newValue) {
        VALUE.setRelease(this, newValue);
    }

    /** The number as of now; any thread may ask. */
    public long get() {
        return (long) VALUE.getAcquire(this);
    }
}
