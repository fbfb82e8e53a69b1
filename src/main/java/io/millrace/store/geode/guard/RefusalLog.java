package io.millrace.store.geode.guard;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what a port has refused, at most one line in ten seconds. Thread-safe. */
final class RefusalLog {

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final long INTERVAL_NANOS = 10_000_000_000L;

    private final String port;
    private boolean logged;
    private long lastNanos;
    private long leftOut;

    /** @param port that is protected, for the message */
    RefusalLog(String port) {
        this.port = port;
    }

    void refused(Object sender, String reason) {
        long now = System.nanoTime();
        long omitted;
        synchronized (this) {
            if (logged && now - lastNanos < INTERVAL_NANOS) {
                leftOut++;
                return;
            }
            logged = true;
            lastNanos = now;
            omitted = leftOut;
            leftOut = 0;
        }
        LOG.warn("Refused input from the network: port={} from={} reason={} leftOut={}", port, sender, reason, omitted);
    }
}
