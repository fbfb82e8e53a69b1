package io.millrace.pipeline.step;

import io.millrace.codec.Counter;

/** A step that drops records because its rule says so. */
public interface DropsRecords {

    /** Records dropped since the step was made. */
    Counter dropped();
}
