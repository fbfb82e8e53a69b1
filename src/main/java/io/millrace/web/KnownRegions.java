package io.millrace.web;

import io.millrace.schema.NearestName;
import io.millrace.store.region.Regions;
import java.util.List;

/**
 * Finds a region that a request names.
 *
 * @param open regions of the store
 */
record KnownRegions(Regions open) {

    /**
     * Returns the name of a region.
     *
     * @throws ApiException if the region is not open
     */
    String known(String region) {
        List<String> regions = open.regions();
        if (!regions.contains(region)) {
            throw new ApiException(
                    404, "unknown-region", "Unknown region '" + region + "'" + NearestName.hint(region, regions));
        }
        return region;
    }
}
