package io.millrace.web.answer;

import io.millrace.schema.NearestName;
import io.millrace.store.region.Regions;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import java.util.List;

/**
 * Finds a region that a request names.
 *
 * @param open regions of the store
 */
public record KnownRegions(Regions open) {

    /**
     * Returns the name of a region.
     *
     * @throws ApiException if the region is not open
     */
    public String known(String region) {
        List<String> regions = open.regions();
        if (!regions.contains(region)) {
            throw new ApiException(
                    ApiErrorCode.UNKNOWN_REGION, "Unknown region '" + region + "'" + NearestName.hint(region, regions));
        }
        return region;
    }
}
