package io.millrace.measure;

/** Receives what a measure finds, in the thread that runs its pipeline; must return soon. */
public interface MeasureListener {

    /** A window was closed. */
    default void closed(Measure measure, Window window) {
        // most are interested in one of both
    }

    /** An alert was raised or cleared. */
    default void alert(AlertEvent event) {
        // most are interested in one of both
    }
}
