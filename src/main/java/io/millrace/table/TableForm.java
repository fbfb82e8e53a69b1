package io.millrace.table;

/** The lookup method of a packed table. */
enum TableForm {
    /** Keys lie close together, and each key has a slot of its own. */
    DIRECT(1, "direct"),
    /** Rows are in buckets, selected by the hash of the key. */
    HASHED(2, "hashed");

    /** Maximum number of slots for each row with direct addressing. */
    private static final int MAX_SLOTS_PER_ROW = 2;

    private final int code;
    private final String tag;

    TableForm(int code, String tag) {
        this.code = code;
        this.tag = tag;
    }

    /** Returns the number that represents this form in a file. */
    int code() {
        return code;
    }

    /** Returns the word that represents this form in the status. */
    String tag() {
        return tag;
    }

    /** Returns the form that a number in a file represents. */
    static TableForm ofCode(int code) {
        return code == DIRECT.code ? DIRECT : HASHED;
    }

    /** Returns the form for a number of rows whose keys are numbers in an inclusive range. */
    static TableForm of(long rows, long smallest, long largest) {
        long span = largest - smallest;
        return span >= 0 && span < rows * MAX_SLOTS_PER_ROW ? DIRECT : HASHED;
    }
}
