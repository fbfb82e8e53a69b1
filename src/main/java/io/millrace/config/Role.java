package io.millrace.config;

/** What a process of Millrace does. */
public enum Role {
    /** Runs pipelines; keeps records itself, or as a client of a cluster. */
    INGEST,
    /** Keeps records, as a member of a cluster. */
    SERVER,
    /** Is where a cluster's members and clients find it. */
    LOCATOR
}
