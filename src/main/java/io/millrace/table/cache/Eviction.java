package io.millrace.table.cache;

import org.apiguardian.api.API;

/** What happens to old entries when there is no space for a new one. */
@API(status = API.Status.STABLE)
public enum Eviction {
    /** The oldest entry is overwritten. */
    FIFO(1),
    /**
     * The oldest entry is overwritten, unless it was read since it was put: then it counts as new. This is CLOCK, which
     * approximates "least recently used" at the cost of one byte write for each read.
     */
    CLOCK(2),
    /** No entry is overwritten: the new entry is refused. */
    NONE(3);

    private final int code;

    Eviction(int code) {
        this.code = code;
    }

    /** Returns the number that represents this policy in a file. */
    int code() {
        return code;
    }
}
