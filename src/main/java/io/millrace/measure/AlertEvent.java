package io.millrace.measure;

import java.time.Instant;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An alert that was raised or cleared for a group.
 *
 * @param measure name of the measure
 * @param alert name of the alert
 * @param raised true if the alert was raised, false if it was cleared
 * @param since start of the first window in which its condition held
 * @param at end of the window that raised or cleared it
 * @param row the group's row of that window
 */
@API(status = API.Status.STABLE)
public record AlertEvent(
        String measure, String alert, boolean raised, Instant since, Instant at, Map<String, @Nullable Object> row) {}
