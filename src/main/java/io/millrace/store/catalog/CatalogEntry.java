package io.millrace.store.catalog;

/**
 * A region or measure whose data is stored.
 *
 * @param name of the region, or {@code measure/PIPELINE.NAME}
 * @param definition that its data was stored under
 * @param open whether this process has it open under this name, since it is configured here
 * @param values how many values it holds: blocks or entries, of a measure 1 for its state; {@link #UNKNOWN} where they
 *     can't be counted since it is not open
 */
public record CatalogEntry(String name, StoredDefinition definition, boolean open, long values) {

    /** Of a region that is not open. */
    public static final long UNKNOWN = -1;

    /** Returns whether it holds anything, or may. */
    public boolean holdsData() {
        return values != 0;
    }
}
