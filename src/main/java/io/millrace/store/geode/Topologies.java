package io.millrace.store.geode;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.ClientSideCache;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.GeodeCache;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cache.PeerCache;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.shared.SharedMap;
import java.util.Map;
import java.util.function.Function;

/** Starts Geode in the topology that the options ask for. Stateless. */
final class Topologies {

    private Topologies() {}

    /**
     * Starts Geode.
     *
     * @param functions that queries may call in addition to the built-in ones
     * @param regions receives the regions that are opened, by name
     * @param writersInMemory writers to regions in memory, if this process runs alone
     * @throws StoreException if Geode can't be started, or the cluster can't be joined
     */
    static Topology start(
            GeodeOptions options,
            FunctionRegistry functions,
            Map<String, OpenRegion> regions,
            SharedMap<String> writersInMemory) {
        ClusterOptions cluster = options.cluster();
        if (cluster == null) {
            return start(
                    new PeerCache(options),
                    cache -> new EmbeddedTopology(cache, options, functions, regions, writersInMemory));
        }
        return options.client()
                ? start(
                        new ClientSideCache(cluster),
                        cache -> new ClientTopology(cache, options, cluster, functions, regions))
                : start(
                        new PeerCache(options),
                        cache -> new MemberTopology(cache, options, cluster, functions, regions));
    }

    private static <C extends GeodeCache> Topology start(C cache, Function<C, Topology> opening) {
        try {
            return opening.apply(cache);
        } catch (RuntimeException | Error e) {
            cache.close(); // otherwise Geode would return the same cache to the next attempt
            throw e;
        }
    }
}
