package io.millrace.store.geode.access;

/** What a user of a cluster may do. */
public enum UserRole {
    /** Be a server or a locator, and everything else. */
    MEMBER,
    /** Write and read records. */
    INGEST,
    /** Query records. */
    READER
}
