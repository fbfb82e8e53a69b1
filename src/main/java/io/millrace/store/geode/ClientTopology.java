package io.millrace.store.geode;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.geode.cache.ClientSideCache;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.geode.cache.StoragePolicy;
import io.millrace.store.geode.query.QueryExecutor;
import io.millrace.store.geode.query.QueryFunction;
import io.millrace.store.geode.query.RegionQuery;
import io.millrace.store.geode.region.Definitions;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.region.SharedDefinition;
import io.millrace.store.geode.shared.Leases;
import io.millrace.store.geode.shared.RegionMap;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.geode.shared.WriterRegistry;
import io.millrace.store.geode.write.PutExecutor;
import io.millrace.store.geode.write.PutThreads;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import java.util.Map;
import java.util.Set;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/**
 * A client of a cluster: all data is on servers, which check its writes. Its puts are network requests, so that several
 * of each writer are in flight at a time, on threads of their own. Thread-safe.
 */
final class ClientTopology extends ClusterTopology {

    private final ClientSideCache cache;
    private final PutThreads puts = new PutThreads();
    private final int putsInFlight;

    ClientTopology(
            ClientSideCache cache,
            GeodeOptions options,
            ClusterOptions cluster,
            FunctionRegistry functions,
            Map<String, OpenRegion> regions) {
        SharedMaps shared = new SharedMaps(cache, false, null);
        Definitions definitions = new Definitions(cache, options.buckets());
        Leases leases = new Leases(
                new RegionMap<>(cache, cache.spread(Leases.REGION)),
                ProcessName.self(),
                cluster.takeoverAfter(),
                System::nanoTime);
        shared.open(false);
        super(
                cache,
                shared,
                new WriterRegistry(shared::writers, leases, ProcessName.self(), WriterRegistry::newToken),
                definitions,
                leases,
                functions,
                regions);
        this.cache = cache;
        putsInFlight = cluster.putsInFlight();
    }

    @Override
    void open(RegionDefinition definition) {
        add(definition, cache.region(definition.name(), StoragePolicy.of(definition), null));
    }

    @Override
    RegionDefinition openFound(String name) {
        definitions().requireAvailable(name);
        Region<Object, byte[]> region = cache.region(name, new StoragePolicy(0, false, Memory.HEAP), null);
        RegionDefinition definition = QueryExecutor.executeAll(
                        name, (_, _, _) -> QueryFunction.execute(region, new RegionQuery.Definition(), Set.of()))
                .getFirst();
        add(definition, region);
        return definition;
    }

    private void add(RegionDefinition definition, Region<Object, byte[]> region) {
        SharedDefinition inUse = new SharedDefinition(definitions(), definition, true);
        regions().put(definition.name(), new OpenRegion(definition, inUse, region, cache, null));
    }

    @Override
    PutExecutor puts() {
        return puts;
    }

    @Override
    int putsInFlight() {
        return putsInFlight;
    }

    @Override
    void requireCopies() {
        // The servers check the copies.
    }

    @Override
    @Nullable
    String failure() {
        return null;
    }

    @Override
    void stopPuts() {
        puts.close();
    }
}
