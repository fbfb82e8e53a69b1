package io.millrace.config.properties;

/** The role of a Millrace process. */
public enum Role {
    /** Runs pipelines. Stores records itself, or in a cluster as its client. */
    INGEST,
    /** Stores records as a member of a cluster. */
    SERVER,
    /** Lets members and clients discover a cluster. */
    LOCATOR
}
