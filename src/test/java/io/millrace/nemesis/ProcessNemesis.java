package io.millrace.nemesis;

/** Nemeses of a process. */
public final class ProcessNemesis {

    /** A slow process runs for a quarter of the time, in portions that are shorter than all timeouts. */
    private static final int RUNS_MILLIS = 50;

    private static final int STANDS_STILL_MILLIS = 150;

    private ProcessNemesis() {}

    /** Kills the process, and starts it again at the end. */
    public static Nemesis kill(Victim victim) {
        return Nemesis.of("kill " + victim, victim::kill, victim::restart);
    }

    /** Stops the process in an orderly way, and starts it again at the end. */
    public static Nemesis shutDown(Victim victim) {
        return Nemesis.of("shut down " + victim, victim::shutDown, victim::restart);
    }

    /** Stops the process where it is, and lets it continue at the end. */
    public static Nemesis pause(Victim victim) {
        return Nemesis.of("pause " + victim, victim::pause, victim::resume);
    }

    /** Makes the process slow: it stands still for most of the time. */
    public static Nemesis slow(Victim victim) {
        Repeater repeater = new Repeater("slow " + victim, 1, 0, () -> {
            victim.pause();
            Thread.sleep(STANDS_STILL_MILLIS); // the duty cycle
            victim.resume();
            Thread.sleep(RUNS_MILLIS); // the duty cycle
        });
        return Nemesis.of("slow " + victim, repeater::start, repeater::stop);
    }
}
