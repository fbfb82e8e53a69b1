package io.millrace.measure;

/** Is told what a measure finds, in the thread that works its pipeline: returns soon. */
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
