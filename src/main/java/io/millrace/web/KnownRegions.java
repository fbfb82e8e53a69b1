package io.millrace.web;

import io.millrace.schema.NearestName;
import io.millrace.store.Store;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds a region that a request names.
 *
 * @param store that has it
 */
record KnownRegions(Store store) {

    /**
     * The name of a region of records.
     *
     * @throws ApiException where there is none of this name
     */
    String known(String region) {
        List<String> regions = store.regions();
        if (!regions.contains(region)) {
            List<String> all = new ArrayList<>(regions);
            all.addAll(store.rejectRegions());
            throw new ApiException(
                    404, "unknown-region", "region=" + region + " is not open here" + NearestName.hint(region, all));
        }
        return region;
    }
}
