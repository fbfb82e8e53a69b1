package io.millrace.background;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of day, which does not follow a clock that jumps. It is compared with the monotonic clock of the JVM: small
 * differences are corrections, which it follows at once. After a larger one, it continues as before until the clock is
 * right again, or has kept its new time for ten minutes, which is then accepted. A wrong clock at the start of the
 * process can't be detected. Thread-safe.
 */
public final class SteadyClock implements InstantSource {

    /** The clock of this process. */
    public static final SteadyClock SYSTEM = new SteadyClock(InstantSource.system(), System::nanoTime);

    /** How long a clock has to keep a new time until it is accepted. */
    public static final Duration ACCEPTED_AFTER = Duration.ofMinutes(10);

    /** Differences up to this, and one thousandth of the time since the last comparison, are corrections. */
    static final Duration TOLERANCE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(SteadyClock.class);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long DRIFT = 1_000;
    private static final int MAX_BEHIND = 64;

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    /** The time at the last moment at which both clocks agreed. */
    private long agreedMillis;

    private long agreedNanos;
    /** By how much the clock has jumped, in milliseconds; 0 if it has not. */
    private long jump;

    private long jumpedNanos;
    /** Times that the clock has shown while it was behind, newest first. */
    private final Deque<Behind> behind = new ArrayDeque<>();

    /**
     * A period in which the clock was behind.
     *
     * @param first earliest time that it has shown
     * @param last latest time that it has shown
     * @param millis by how much it was behind
     */
    private record Behind(long first, long last, long millis) {}

    /**
     * @param clock that may jump
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     */
    public SteadyClock(InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        agreedMillis = clock.millis();
        agreedNanos = nanoTime.getAsLong();
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public synchronized long millis() {
        long wall = clock.millis();
        long nanos = nanoTime.getAsLong();
        long elapsed = (nanos - agreedNanos) / NANOS_PER_MILLI;
        long expected = agreedMillis + elapsed;
        long difference = wall - expected;
        if (Math.abs(difference) <= tolerance(elapsed)) {
            if (jump != 0) {
                LOG.info("The clock is right again.");
                addBehind(expected);
            }
            return agree(wall, nanos);
        }
        long kept = (nanos - jumpedNanos) / NANOS_PER_MILLI;
        if (jump == 0 || Math.abs(difference - jump) > tolerance(kept)) {
            addBehind(expected);
            jump = difference;
            jumpedNanos = nanos;
            LOG.warn(
                    "The clock has jumped: seconds={}. Time continues as before until the clock is right again, or has"
                            + " kept the new time for {} minutes.",
                    difference / 1000,
                    ACCEPTED_AFTER.toMinutes());
        } else if (kept >= ACCEPTED_AFTER.toMillis()) {
            LOG.warn("The new time of the clock is accepted: seconds={}", difference / 1000);
            return agree(wall, nanos);
        }
        return expected;
    }

    private void addBehind(long now) {
        if (jump < 0) {
            long tolerance = tolerance(now - agreedMillis);
            behind.addFirst(new Behind(agreedMillis + jump - tolerance, now + jump + tolerance, -jump));
            if (behind.size() > MAX_BEHIND) {
                behind.removeLast();
            }
        }
    }

    /**
     * Returns the latest time at which the clock may have shown a time: a later one if it has shown it while it was
     * behind. Jumps back that end between two calls of this class are unknown.
     */
    public synchronized long latest(long shownMillis) {
        long latest = shownMillis;
        for (Behind period : behind) {
            if (period.first <= shownMillis && shownMillis <= period.last) {
                latest = Math.max(latest, shownMillis + period.millis);
            }
        }
        return latest;
    }

    private long agree(long millis, long nanos) {
        agreedMillis = millis;
        agreedNanos = nanos;
        jump = 0;
        return millis;
    }

    private static long tolerance(long elapsed) {
        return TOLERANCE.toMillis() + elapsed / DRIFT;
    }

    /**
     * Returns by how much the clock has jumped, forward or back; zero if it is right. What can't be undone should wait.
     */
    public synchronized Duration jump() {
        var _ = millis();
        return Duration.ofMillis(jump);
    }
}
