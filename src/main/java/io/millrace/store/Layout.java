package io.millrace.store;

import java.util.Locale;

/** How a region keeps records. */
public enum Layout {
    /** A record an entry, under a key of its own; the latest value wins. */
    ENTRIES,
    /** Many records a value, in the order in which they came. */
    BLOCKS;

    /** As in configuration and JSON: lower case. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
