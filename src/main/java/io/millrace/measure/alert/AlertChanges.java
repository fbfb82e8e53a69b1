package io.millrace.measure.alert;

import io.millrace.measure.plan.AlertPlan;
import java.util.List;

/**
 * The events of an alert in one window.
 *
 * @param first number of events of the alert before these
 * @param records event records, one for each group for which the alert was raised or cleared
 */
public record AlertChanges(AlertPlan alert, long first, List<byte[]> records) {}
