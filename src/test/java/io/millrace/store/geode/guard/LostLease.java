package io.millrace.store.geode.guard;

import java.time.Duration;

/** Takes the lease from this process, as if it had heard nothing from other members for a long time. */
public final class LostLease {

    private LostLease() {}

    /** Begins a lease that has ended already. */
    public static void begin() {
        MemberLease.begin(Duration.ofNanos(1));
        MemberLease.current().members(2);
        while (MemberLease.current().held()) {
            Thread.onSpinWait();
        }
    }

    /** Begins the lease of a process that is in no cluster. */
    public static void end() {
        MemberLease.begin(Duration.ZERO);
    }
}
