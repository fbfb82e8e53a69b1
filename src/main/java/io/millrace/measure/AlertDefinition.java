package io.millrace.measure;

import org.jspecify.annotations.Nullable;

/**
 * An alert as configured: it is raised and cleared for each group of a measure.
 *
 * @param name unique in its measure
 * @param when condition on a row that raises the alert
 * @param until condition on a row that clears the alert; null to clear it when {@code when} no longer holds
 * @param raiseAfter number of consecutive windows in which {@code when} must hold
 * @param clearAfter number of consecutive windows in which {@code until} must hold
 * @param channel message channel that receives the events, or null for none
 * @param region region that stores the events, or null for none
 */
public record AlertDefinition(
        String name,
        String when,
        @Nullable String until,
        int raiseAfter,
        int clearAfter,
        @Nullable String channel,
        @Nullable String region) {}
