package io.millrace.measure;

import org.jspecify.annotations.Nullable;

/**
 * An alert as configuration has it: raised for a group of a measure, and cleared again.
 *
 * @param name unique in its measure
 * @param when condition on a row for it to be raised
 * @param until condition on a row for it to be cleared; null for {@code when} not to hold
 * @param raiseAfter in how many windows in a row {@code when} must hold
 * @param clearAfter in how many windows in a row {@code until} must hold
 * @param channel message channel that is notified, null for none
 * @param region where the group's alerts are kept, null for nowhere
 */
public record AlertDefinition(
        String name,
        String when,
        @Nullable String until,
        int raiseAfter,
        int clearAfter,
        @Nullable String channel,
        @Nullable String region) {}
