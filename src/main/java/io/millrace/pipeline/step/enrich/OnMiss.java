package io.millrace.pipeline.step.enrich;

/** The handling of a record whose key is not in a table. */
public enum OnMiss {
    /** The added fields are absent. */
    ABSENT,
    /** The added fields have their defaults. Fields without a default are absent. */
    DEFAULT,
    /** The record is rejected. */
    REJECT
}
