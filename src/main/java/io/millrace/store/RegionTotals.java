package io.millrace.store;

import java.io.Serializable;
import java.util.List;

/**
 * How much of a region one member holds; of what several hold, the one that is the first to have it.
 *
 * @param entries how many values
 * @param records how many records they hold
 * @param valueBytes length of all values, estimated where a {@link RegionInfo} does
 * @param expired how many records it has removed for the region's retention since it was opened
 */
public record RegionTotals(long entries, long records, long valueBytes, long expired) implements Serializable {

    /** What several members hold together. */
    public static RegionInfo sum(RegionDefinition region, List<RegionTotals> parts) {
        return new RegionInfo(
                region,
                parts.stream().mapToLong(RegionTotals::entries).sum(),
                parts.stream().mapToLong(RegionTotals::records).sum(),
                parts.stream().mapToLong(RegionTotals::valueBytes).sum(),
                parts.stream().mapToLong(RegionTotals::expired).sum());
    }
}
