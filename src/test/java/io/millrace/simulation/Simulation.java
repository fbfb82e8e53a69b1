package io.millrace.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Virtual time, and an order of steps that a seed decides. Not thread-safe: there is one thread. */
public final class Simulation {

    private static final long MILLISECOND = 1_000_000;

    /** Of {@link #choices}, so that these numbers are not those of the order. */
    private static final long CHOICES = 0x9e3779b97f4a7c15L;

    private final long seed;
    private final Random random;
    private final List<Fiber> fibers = new ArrayList<>();
    private final List<Fiber> ready = new ArrayList<>();
    private @Nullable Fiber current;
    private long now = MILLISECOND;
    private long steps;

    public Simulation(long seed) {
        this.seed = seed;
        random = new Random(seed);
    }

    public Random random() {
        return random;
    }

    /** Returns numbers that depend on the seed and leave those of {@link #random} as they are. */
    Random choices() {
        long mixed = (seed + 1) * CHOICES;
        return new Random(mixed ^ mixed >>> 32);
    }

    /** The virtual time, in nanoseconds. */
    public long now() {
        return now;
    }

    public long steps() {
        return steps;
    }

    /** Returns true in one of so many cases. */
    public boolean oneIn(int cases) {
        return random.nextInt(cases) == 0;
    }

    /** A random time up to so many milliseconds, in nanoseconds. */
    public long millis(int most) {
        return (long) (random.nextDouble() * most * MILLISECOND);
    }

    /** Starts a fiber; it runs at some later step. */
    void start(String name, Fiber.@Nullable Host host, Runnable body) {
        startAfter(0, name, host, body);
    }

    /** Starts a fiber that runs at some step after a delay. */
    void startAfter(long nanos, String name, Fiber.@Nullable Host host, Runnable body) {
        fibers.add(new Fiber(name, host, now + nanos, body));
    }

    /** Waits for a condition, or until the time is over; returns whether the condition holds. Called by fibers. */
    public boolean await(BooleanSupplier condition, long nanos) {
        Fiber fiber = current;
        if (fiber == null) {
            throw new IllegalStateException("not in a fiber");
        }
        if (!condition.getAsBoolean()) {
            fiber.await(condition, now + nanos);
        }
        return condition.getAsBoolean();
    }

    /** Waits. */
    public void sleep(long nanos) {
        Fiber fiber = current;
        if (fiber == null) {
            throw new IllegalStateException("not in a fiber");
        }
        fiber.await(null, now + Math.max(1, nanos));
    }

    /** Runs until a condition holds; returns whether it does within so many steps. */
    boolean run(BooleanSupplier until, long maxSteps) {
        long end = steps + maxSteps;
        while (!until.getAsBoolean()) {
            if (steps++ > end || !step()) {
                return false;
            }
        }
        return true;
    }

    private boolean step() {
        long earliest = findReady();
        if (ready.isEmpty()) {
            if (earliest == Long.MAX_VALUE) {
                return false;
            }
            now = Math.max(now, earliest);
            return true;
        }
        Fiber next = ready.get(random.nextInt(ready.size()));
        now += 1_000 + random.nextInt(50_000);
        current = next;
        try {
            next.resume();
        } finally {
            current = null;
        }
        return true;
    }

    /** Returns when the next of the fibers that wait continues whatever happens. */
    private long findReady() {
        ready.clear();
        long earliest = Long.MAX_VALUE;
        for (int i = fibers.size() - 1; i >= 0; i--) {
            Fiber fiber = fibers.get(i);
            long next = fiber.next(now);
            if (next == Fiber.ENDED) {
                fibers.set(i, fibers.getLast());
                fibers.removeLast();
            } else if (next == Fiber.READY) {
                ready.add(fiber);
            } else {
                earliest = Math.min(earliest, next);
            }
        }
        return earliest;
    }
}
