package io.millrace.measure.run;

import io.millrace.measure.AlertEvent;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Window;

/**
 * Receives the windows and alerts of a measure on the thread that runs its pipeline. Implementations must return
 * quickly.
 */
public interface MeasureListener {

    /**
     * Called when a window has been closed.
     *
     * @param plan the plan of the measure
     */
    default void closed(MeasurePlan plan, Window window) {
        // optional: most listeners handle only one of the two events
    }

    /** Called when an alert has been raised or cleared. */
    default void alert(AlertEvent event) {
        // optional: most listeners handle only one of the two events
    }
}
