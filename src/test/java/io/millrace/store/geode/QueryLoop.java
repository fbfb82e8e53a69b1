package io.millrace.store.geode;

import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Query;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Queries all records of a region from a client of the cluster, and writes a line for each answer. */
final class QueryLoop {

    private QueryLoop() {}

    /** What is written for an answer with each of so many records once. */
    static String complete(int records) {
        return "records=" + records + " distinct=" + records;
    }

    /** Runs until the process is killed. */
    static void run(String region, List<Address> locators) {
        try (GeodeStore store =
                new GeodeStore(GeodeOptions.client(ClusterOptions.client(locators)), ForkedMember.FUNCTIONS)) {
            store.openFound(region);
            Query query = new Query("#slowly(id)", List.of("id"), List.of(), Query.UNLIMITED);
            while (store.isOpen()) {
                System.out.println(answer(store, region, query));
            }
        }
    }

    private static String answer(GeodeStore store, String region, Query query) {
        try {
            List<Map<String, @Nullable Object>> rows =
                    store.query(region, query).records();
            Set<Object> ids = new HashSet<>();
            rows.forEach(row -> ids.add(String.valueOf(row.get("id"))));
            return "records=" + rows.size() + " distinct=" + ids.size();
        } catch (StoreException e) {
            return "failed: " + e;
        }
    }
}
