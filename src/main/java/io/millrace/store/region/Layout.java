package io.millrace.store.region;

import java.util.Locale;

/** The layout of the records of a region. */
public enum Layout {
    /** One record per entry, under its own key; the latest value wins. */
    ENTRIES,
    /** Many records per value, in the order of arrival. */
    BLOCKS;

    /** Returns the name in configuration and JSON, in lower case. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
