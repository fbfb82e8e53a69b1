package io.millrace.table;

/** How the rows of a packed table are found. */
enum TableForm {
    /** Keys lie close together: each has a slot of its own. */
    DIRECT(1, "direct"),
    /** Rows lie in buckets, chosen by their keys' hash. */
    HASHED(2, "hashed");

    /** Direct addressing is used while there are at most this many slots for each row. */
    private static final int MOST_SLOTS_PER_ROW = 2;

    private final int code;
    private final String tag;

    TableForm(int code, String tag) {
        this.code = code;
        this.tag = tag;
    }

    /** The number that stands in a file. */
    int code() {
        return code;
    }

    /** The word that is shown. */
    String tag() {
        return tag;
    }

    /** The form that a number in a file stands for. */
    static TableForm ofCode(int code) {
        return code == DIRECT.code ? DIRECT : HASHED;
    }

    /** The form for so many rows whose keys are numbers in this range, both ends inside. */
    static TableForm of(long rows, long smallest, long largest) {
        long span = largest - smallest;
        return span >= 0 && span < rows * MOST_SLOTS_PER_ROW ? DIRECT : HASHED;
    }
}
