package io.millrace.simulation;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread of the simulation: runs until it waits, and is continued by the simulation's own thread. One that is never
 * continued again is a thread of a process that was killed.
 *
 * <p>Made of what the JDK makes virtual threads of, which only one thread at a time ever runs here:
 * {@code jdk.internal.vm.Continuation}, which the tests' JVM exports.
 */
final class Fiber {

    private static final Object SCOPE;
    private static final MethodHandle NEW;
    private static final MethodHandle RUN;
    private static final MethodHandle YIELD;

    static {
        try {
            Class<?> scope = Class.forName("jdk.internal.vm.ContinuationScope");
            Class<?> continuation = Class.forName("jdk.internal.vm.Continuation");
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SCOPE = scope.getConstructor(String.class).newInstance("simulation");
            NEW = lookup.findConstructor(continuation, MethodType.methodType(void.class, scope, Runnable.class))
                    .asType(MethodType.methodType(Object.class, Object.class, Runnable.class));
            RUN = lookup.findVirtual(continuation, "run", MethodType.methodType(void.class))
                    .asType(MethodType.methodType(void.class, Object.class));
            YIELD = lookup.findStatic(continuation, "yield", MethodType.methodType(boolean.class, scope))
                    .asType(MethodType.methodType(boolean.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What {@link #next} returns if it can continue. */
    static final long READY = -1;

    /** What {@link #next} returns if it never runs again. */
    static final long ENDED = Long.MAX_VALUE;

    final String name;
    /** The process that it belongs to; null for the cluster. */
    final @Nullable Host host;

    private final Object continuation;
    /** What it waits for, null for the time only, and until when at the longest. */
    private @Nullable BooleanSupplier condition;

    private long deadline;
    private boolean done;

    /** Something whose fibers stand still while it is paused, and for ever once it was killed. */
    interface Host {
        /** When it runs again; the largest number if never. */
        long runsFrom();
    }

    /** @param start when it runs first */
    Fiber(String name, @Nullable Host host, long start, Runnable body) {
        this.name = name;
        this.host = host;
        this.deadline = start;
        try {
            this.continuation = (Object) NEW.invokeExact(SCOPE, (Runnable) () -> run(body));
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private void run(Runnable body) {
        body.run();
        done = true;
    }

    /**
     * Returns {@link #READY} if it can continue, {@link #ENDED} if it never runs again, else the earliest time at which
     * it continues whatever happens.
     */
    long next(long now) {
        long hostRunsFrom = host == null ? 0 : host.runsFrom();
        if (done || hostRunsFrom == ENDED) {
            return ENDED;
        }
        if (now >= hostRunsFrom && (deadline <= now || (condition != null && condition.getAsBoolean()))) {
            return READY;
        }
        return Math.max(deadline, hostRunsFrom);
    }

    /** Runs it until it waits or ends. */
    void resume() {
        try {
            RUN.invokeExact(continuation);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits; called inside of it. */
    void await(@Nullable BooleanSupplier until, long atLatest) {
        condition = until;
        deadline = atLatest;
        try {
            var _ = (boolean) YIELD.invokeExact(SCOPE);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
