package io.millrace.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apiguardian.api.API;

/**
 * A counter that one thread changes and any thread may read, without locks or contended writes. A reader of a new value
 * also sees what the owner wrote before the change (release/acquire).
 */
@API(status = API.Status.STABLE)
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

    /** Adds to the value. Only the owning thread may call this. */
    public void add(long delta) {
        VALUE.setRelease(this, value + delta);
    }

    /** Sets the value. Only the owning thread may call this. */
    public void set(long newValue) {
        VALUE.setRelease(this, newValue);
    }

    /** Returns the current value. Any thread may call this. */
    public long get() {
        return (long) VALUE.getAcquire(this);
    }
}
