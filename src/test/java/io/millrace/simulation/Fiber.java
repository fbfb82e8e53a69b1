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

    final String name;
    /** The process that it belongs to; null for the cluster. */
    final @Nullable Host host;

    private final Object continuation;
    /** What it waits for, and until when at the longest. */
    private BooleanSupplier condition = () -> false;

    private long deadline;
    private boolean done;

    /** Something whose fibers stand still while it is paused, and for ever once it was killed. */
    interface Host {
        boolean runs(long now);

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

    boolean ready(long now) {
        return (host == null || host.runs(now)) && (deadline <= now || condition.getAsBoolean());
    }

    /** The earliest time at which it continues whatever happens. */
    long latest() {
        return host == null ? deadline : Math.max(deadline, host.runsFrom());
    }

    /** Whether it never runs again. */
    boolean ended() {
        return done || (host != null && host.runsFrom() == Long.MAX_VALUE);
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
    void await(BooleanSupplier until, long atLatest) {
        condition = until;
        deadline = atLatest;
        try {
            var _ = (boolean) YIELD.invokeExact(SCOPE);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
