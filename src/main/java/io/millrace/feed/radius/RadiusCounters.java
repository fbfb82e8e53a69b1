package io.millrace.feed.radius;

import io.millrace.codec.Counter;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Counts datagrams by outcome. After each datagram is processed, {@code received = admitted + repeated + status + the
 * discards}. The network thread writes, any thread may read.
 */
final class RadiusCounters {

    /** Datagrams received. */
    final Counter received = new Counter();

    /** Requests that became records. */
    final Counter admitted = new Counter();

    /** Admitted requests that were stored and answered. */
    final Counter answered = new Counter();

    /** Repeated requests that were answered before, and were answered again. */
    final Counter repeated = new Counter();

    /** Status-Server queries that were answered. */
    final Counter status = new Counter();

    /** Responses that the network rejected. */
    final Counter failed = new Counter();

    private final Map<Discard, Counter> discards = new EnumMap<>(Discard.class);

    RadiusCounters() {
        for (Discard reason : Discard.values()) {
            discards.put(reason, new Counter());
        }
    }

    /** Returns the counter of datagrams discarded for this reason. */
    Counter discarded(Discard reason) {
        return Objects.requireNonNull(discards.get(reason));
    }

    /** Returns all counters by the names under which they are shown. */
    Map<String, Counter> byName() {
        Map<String, Counter> all = new LinkedHashMap<>();
        all.put("received", received);
        all.put("admitted", admitted);
        all.put("answered", answered);
        all.put("repeated", repeated);
        all.put("status", status);
        all.put("send-failed", failed);
        discards.forEach((reason, counter) -> all.put("discarded-" + reason.tag(), counter));
        return Collections.unmodifiableMap(all);
    }
}
