package io.millrace.pipeline.step;

import io.millrace.codec.Counter;

/** A step that drops records according to its rule. */
public interface DropsRecords {

    /** Returns the number of records dropped since the step was created. */
    Counter dropped();
}
