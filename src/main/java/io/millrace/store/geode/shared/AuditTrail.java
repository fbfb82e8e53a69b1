package io.millrace.store.geode.shared;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;

/** The log of manual changes, by the time of each. Entries are only added. */
public record AuditTrail(SharedMap<String> map) {

    /** Adds an entry. */
    public void add(String entry) {
        String time = Instant.now().truncatedTo(ChronoUnit.MICROS).toString();
        String key = time;
        for (int i = 2; map.putIfAbsent(key, entry) != null; i++) {
            key = time + "#" + i;
        }
    }

    /** Returns all entries, oldest first. */
    public Map<String, String> all() {
        return new TreeMap<>(map.getAll(_ -> true));
    }
}
