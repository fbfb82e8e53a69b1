package io.millrace.nemesis.history;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Moments of a run in messages, so that those of a history can be compared with those of nemeses. */
public final class Moment {

    private Moment() {}

    /** Returns a moment of {@link System#nanoTime} in seconds since this JVM has started. */
    public static String of(long nanoTime) {
        double ago = (System.nanoTime() - nanoTime) / 1e9;
        double uptime = ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
        return String.format(Locale.ROOT, "%.1f s", uptime - ago);
    }
}
