package io.millrace.codec.compact;

/** What a finder of compact records is for. */
enum FinderUse {
    /** Reads all that is wanted and checks all members. */
    ADMISSION,
    /** Reads all that is wanted, and checks only that. */
    WANTED,
    /** Reads the wanted single values only. */
    VALUES,
    /** Reads the wanted elements of the parts that repeat only. */
    ELEMENTS;

    /** Returns whether to check all members, not only those that are wanted. */
    boolean admission() {
        return this == ADMISSION;
    }

    /** Returns whether to write single values to the row. */
    boolean readsValues() {
        return this != ELEMENTS;
    }

    /** Returns whether to write elements to their rows. */
    boolean readsElements() {
        return this != VALUES;
    }
}
