package io.millrace.measure.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An alert as configured: it is raised and cleared for each group of a measure.
 *
 * @param name unique in its measure
 * @param when condition on a row that raises the alert
 * @param until condition on a row that clears the alert; null to clear it when {@code when} no longer holds
 * @param raiseAfter number of consecutive windows in which {@code when} must hold
 * @param clearAfter number of consecutive windows in which {@code until} must hold
 * @param to targets that receive the events, as configured; may be none
 */
public record AlertDefinition(
        String name, String when, @Nullable String until, int raiseAfter, int clearAfter, List<String> to) {

    public AlertDefinition {
        to = List.copyOf(to);
    }
}
