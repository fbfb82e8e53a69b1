package io.millrace;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long all tests wait for something that must happen. A passing test waits only until it has happened, so this is
 * far longer than anything takes: a service that starts in 3 seconds has been seen to need 50 on a busy machine.
 */
public final class TestTimeout implements LauncherSessionListener {

    public static final Duration MAX = Duration.ofMinutes(5);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(MAX);
    }
}
