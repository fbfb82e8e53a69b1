package io.millrace.store;

import java.util.Locale;

/** How a region's blocks hold records of the fixed layout. */
public enum BlockEncoding {
    /** One after the other, as they are. */
    ROWS,
    /** Each field apart, packed as its values in the block allow. */
    COLUMNS;

    /** As in configuration and JSON: lower case. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
