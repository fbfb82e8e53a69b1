package io.millrace.nemesis;

import java.time.Duration;
import java.util.Random;

/** Nemeses of the clock of processes. At the end, the clock is right again. */
public final class ClockNemesis {

    private static final int MAX_PAUSE_MILLIS = 1000;
    private static final int MAX_JUMP_SECONDS = 7200;

    private ClockNemesis() {}

    /** Steps the clock once: ahead, or back if negative. */
    public static Nemesis step(SystemFaults faults, Duration ahead) {
        return Nemesis.of("clock " + ahead, () -> faults.setClock(ahead), () -> faults.setClock(Duration.ZERO));
    }

    /** Lets the clock jump ahead and back again and again, by up to two hours. */
    public static Nemesis jumps(SystemFaults faults, long seed) {
        Random random = new Random(seed);
        Nemesis jumps = Nemesis.repeated(
                "jumping clock",
                MAX_PAUSE_MILLIS,
                seed,
                () -> faults.setClock(Duration.ofSeconds(random.nextInt(-MAX_JUMP_SECONDS, MAX_JUMP_SECONDS))));
        return Nemesis.of(jumps.toString(), jumps::start, () -> {
            jumps.stop();
            faults.setClock(Duration.ZERO);
        });
    }

    /** Lets the clock run fast, or slow if negative. */
    public static Nemesis drift(SystemFaults faults, long ppm) {
        return Nemesis.of("clock drift " + ppm + " ppm", () -> faults.setDrift(ppm), () -> faults.setDrift(0));
    }
}
