package io.millrace.pipeline;

import java.util.Locale;

/** What a pipeline is doing. */
public enum PipelineState {
    /** Records pass. */
    RUNNING,
    /** It waits for records, or for the store to take them. */
    WAITING,
    /** Another process runs it; this one takes over when that one is gone. */
    STANDBY,
    /**
     * Nearly all records are rejected. The feed is read; or it has ended, and nearly all of its records were rejected.
     */
    DEGRADED,
    /** Its feed has ended and everything is stored. */
    DONE,
    /** It has stopped on an error. */
    FAILED;

    /** As in JSON and metrics: lower case. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
