package io.millrace.feed.radius;

import io.millrace.codec.Counter;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What became of the datagrams: {@code received = admitted + repeated + status + the discards}, always after a datagram
 * was dealt with. The network's thread counts, any thread may read.
 */
final class RadiusCounters {

    /** Datagrams that came. */
    final Counter received = new Counter();

    /** Requests that became records. */
    final Counter admitted = new Counter();

    /** Of those, the ones that were answered, since they are stored. */
    final Counter answered = new Counter();

    /** Requests that came again after they had been answered, and were answered again. */
    final Counter repeated = new Counter();

    /** Queries for the server's state that were answered. */
    final Counter status = new Counter();

    /** Answers that the network did not take. */
    final Counter failed = new Counter();

    private final Map<Discard, Counter> discards = new EnumMap<>(Discard.class);

    RadiusCounters() {
        for (Discard reason : Discard.values()) {
            discards.put(reason, new Counter());
        }
    }

    /** Datagrams that were discarded for this reason. */
    Counter discarded(Discard reason) {
        return Objects.requireNonNull(discards.get(reason));
    }

    /** All of them, by the names that they are shown under. */
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
