package io.millrace.table.cache;

/** What becomes of old entries where there is no room for a new one. */
public enum Eviction {
    /** The oldest is overwritten. */
    FIFO(1),
    /**
     * The oldest is overwritten, unless it was read since it was put: then it counts as new (CLOCK, which comes close
     * to "least recently used" and asks no more of a reader than to set a byte).
     */
    CLOCK(2),
    /** Nothing is overwritten: the new entry is refused. */
    NONE(3);

    private final int code;

    Eviction(int code) {
        this.code = code;
    }

    /** The number that stands in a file. */
    int code() {
        return code;
    }
}
