package io.millrace;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long all tests wait for something that must happen. A passing test waits only until it has happened, so this is
 * far longer than anything takes: a service that starts in 3 seconds has been seen to need 260 on a busy machine.
 */
public final class TestTimeout implements LauncherSessionListener {

    public static final Duration MAX = Duration.ofMinutes(15);

    /** Most of what tests wait for happens within milliseconds. */
    private static final Duration FIRST_POLL = Duration.ofMillis(5);

    private static final Duration LONGEST_POLL = Duration.ofMillis(100);

    private static Duration next(Duration pollInterval) {
        Duration doubled = pollInterval.multipliedBy(2);
        return doubled.compareTo(LONGEST_POLL) < 0 ? doubled : LONGEST_POLL;
    }

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(MAX);
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(TestTimeout::next, FIRST_POLL));
    }
}
