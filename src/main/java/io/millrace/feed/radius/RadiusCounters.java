package io.millrace.feed.radius;

import io.millrace.codec.Counter;
import io.millrace.feed.NamedCounters;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Counts datagrams by outcome. After each datagram is processed, {@code received = admitted + repeated + status + the
 * discards}. The network thread writes, any thread may read.
 */
final class RadiusCounters {

    private final NamedCounters counters = new NamedCounters();

    /** Datagrams received. */
    final Counter received = counters.add("received");

    /** Requests that became records. */
    final Counter admitted = counters.add("admitted");

    /** Admitted requests that were stored and answered. */
    final Counter answered = counters.add("answered");

    /** Repeated requests that were answered before, and were answered again. */
    final Counter repeated = counters.add("repeated");

    /** Status-Server queries that were answered. */
    final Counter status = counters.add("status");

    /** Responses that the network rejected. */
    final Counter failed = counters.add("send-failed");

    private final Map<Discard, Counter> discards = new EnumMap<>(Discard.class);

    RadiusCounters() {
        for (Discard reason : Discard.values()) {
            discards.put(reason, counters.add("discarded-" + reason.tag()));
        }
    }

    /** Returns the counter of datagrams discarded for this reason. */
    Counter discarded(Discard reason) {
        return Objects.requireNonNull(discards.get(reason));
    }

    /** Returns all counters by the names under which they are shown. */
    Map<String, Counter> byName() {
        return counters.all();
    }
}
