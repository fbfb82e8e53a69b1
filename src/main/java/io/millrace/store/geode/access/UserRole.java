package io.millrace.store.geode.access;

/** The role of a user of a cluster. */
public enum UserRole {
    /** May be a server or a locator, and do everything else. */
    MEMBER,
    /** May write and read records. */
    INGEST,
    /** May query records. */
    READER
}
