package io.millrace.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A counter that one thread changes and any thread may read, without locks or contended writes. A reader of a new value
 * also sees what the owner wrote before the change (release/acquire).
 */
@API(status = API.Status.STABLE)
public sealed class Counter permits Counter.Sum {

    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value;

    /** Returns a counter that is the sum of others, and can't be changed. Any thread may call this. */
    @API(status = API.Status.INTERNAL)
    public static Counter sum(List<Counter> counters) {
        return counters.size() == 1 ? counters.getFirst() : new Sum(counters);
    }

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

    /** The sum of counters. */
    static final class Sum extends Counter {

        private final List<Counter> counters;

        private Sum(List<Counter> counters) {
            this.counters = List.copyOf(counters);
        }

        @Override
        public void add(long delta) {
            throw fixed();
        }

        @Override
        public void set(long newValue) {
            throw fixed();
        }

        private static UnsupportedOperationException fixed() {
            return new UnsupportedOperationException("A sum changes with its counters only.");
        }

        @Override
        public long get() {
            long sum = 0;
            for (Counter counter : counters) {
                sum += counter.get();
            }
            return sum;
        }
    }
}
