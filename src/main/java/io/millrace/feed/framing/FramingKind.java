package io.millrace.feed.framing;

/** A framing: how bytes are split into records. */
public enum FramingKind {
    /** Records of one length, back to back. */
    FIXED,
    /** A length before each record. */
    LENGTH_PREFIXED,
    /** A delimiter after each record. */
    DELIMITED
}
