package io.millrace.store.region;

import java.util.Locale;

/** The encoding of records in a region's blocks. */
public enum BlockEncoding {
    /** Records one after the other, unchanged. */
    ROWS,
    /**
     * One column per field, packed according to its values in the block. If records vary in length, the columns are
     * next to the unchanged records.
     */
    COLUMNS;

    /** Returns the name in configuration and JSON, in lower case. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
