package io.millrace.pipeline;

import java.util.Locale;

/** What a pipeline is doing. */
public enum PipelineState {
    /** Records pass. */
    RUNNING,
    /** It waits for records, or for the store to take them. */
    WAITING,
    /** Its feed has ended and everything is stored. */
    DONE,
    /** It has stopped on an error. */
    FAILED;

    /** As in JSON and metrics: lower case. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
