package io.millrace.web;

import io.millrace.schema.NearestName;
import io.millrace.store.Store;
import java.util.List;

/**
 * Finds a region that a request names.
 *
 * @param store that has it
 */
record KnownRegions(Store store) {

    /**
     * The name of a region.
     *
     * @throws ApiException where there is none of this name
     */
    String known(String region) {
        List<String> regions = store.regions();
        if (!regions.contains(region)) {
            throw new ApiException(
                    404,
                    "unknown-region",
                    "region=" + region + " is not open here" + NearestName.hint(region, regions));
        }
        return region;
    }
}
