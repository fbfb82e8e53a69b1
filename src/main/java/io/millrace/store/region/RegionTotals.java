package io.millrace.store.region;

import java.io.Serializable;
import java.util.List;

/**
 * The size of the part of a region on one member; data on several members counts on the primary.
 *
 * @param entries number of values
 * @param records number of records in them
 * @param valueBytes length of all values, estimated as in {@link RegionInfo}
 * @param expired number of records that it has removed for the region's retention since it was opened
 */
public record RegionTotals(long entries, long records, long valueBytes, long expired) implements Serializable {

    /** Returns the sum over several members. */
    public static RegionInfo sum(RegionDefinition region, List<RegionTotals> parts) {
        return new RegionInfo(
                region,
                parts.stream().mapToLong(RegionTotals::entries).sum(),
                parts.stream().mapToLong(RegionTotals::records).sum(),
                parts.stream().mapToLong(RegionTotals::valueBytes).sum(),
                parts.stream().mapToLong(RegionTotals::expired).sum());
    }
}
