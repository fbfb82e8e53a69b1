package io.millrace.store.catalog;

/**
 * A region or measure whose data is stored.
 *
 * @param name of the region, or {@code measure/PIPELINE.NAME}
 * @param definition that its data was stored under
 * @param open whether this process has it open under this name, because it is configured here
 * @param values number of values: blocks or entries, of a measure 1 for its state; {@link #UNKNOWN} if they can't be
 *     counted because it is not open
 */
public record CatalogEntry(String name, StoredDefinition definition, boolean open, long values) {

    /** The number of values of a region that is not open. */
    public static final long UNKNOWN = -1;

    /** Returns whether it contains values, or may contain some. */
    public boolean holdsData() {
        return values != 0;
    }
}
