package io.millrace.store.region;

/**
 * How much a region holds.
 *
 * @param definition what it is
 * @param entries how many values
 * @param records how many records they hold
 * @param valueBytes length of all values; of more than {@link #MAX_MEASURED} entries that differ in length, an estimate
 *     by so many of them
 * @param expired how many records the members that hold it have removed for its retention since they opened it
 */
public record RegionInfo(RegionDefinition definition, long entries, long records, long valueBytes, long expired) {

    /** Maximum number of entries of different lengths that are measured: the call is frequent and must stay cheap. */
    public static final int MAX_MEASURED = 10_000;

    /**
     * Estimate of what Geode needs in memory for one entry in addition to the value's bytes: the entry in its map, the
     * key, the array's header and padding. Measured with {@code Long} keys (docs/reference/formats.md); longer keys
     * come on top.
     */
    public static final int ENTRY_OVERHEAD = 64;

    /** The same for an entry of a persistent region, which also holds its version and its place on disk. */
    public static final int PERSISTENT_ENTRY_OVERHEAD = 219;

    /** Estimate of all bytes in memory, if all values are there. */
    public long bytes() {
        return valueBytes + entries * (definition.persistent() ? PERSISTENT_ENTRY_OVERHEAD : ENTRY_OVERHEAD);
    }

    /** Estimate of bytes in memory for each record; 0 where there are none. */
    public double bytesPerRecord() {
        return records == 0 ? 0 : (double) bytes() / records;
    }
}
