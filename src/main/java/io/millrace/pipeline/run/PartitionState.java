package io.millrace.pipeline.run;

/** What a partition does at a moment. */
public enum PartitionState {
    /** Another process has the right to write. */
    STANDBY,
    /** Waiting for records, or for the store. */
    WAITING,
    /** Processing records. */
    RUNNING,
    /** The feed has ended and everything is stored. */
    DONE,
    /** Stopped by an error. */
    FAILED
}
