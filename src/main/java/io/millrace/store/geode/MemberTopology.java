package io.millrace.store.geode;

import io.millrace.background.BackgroundTask;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cache.PeerCache;
import io.millrace.store.geode.cache.PortProbe;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.geode.query.QueryFunction;
import io.millrace.store.geode.region.Definitions;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.region.SharedDefinition;
import io.millrace.store.geode.shared.Leases;
import io.millrace.store.geode.shared.RegionMap;
import io.millrace.store.region.RegionDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A member of a cluster: it stores data, checks each write, answers queries of other processes, and removes expired
 * records. Thread-safe.
 */
final class MemberTopology extends ClusterTopology {

    private final PeerCache cache;
    private final ClusterOptions cluster;
    private final WriteCheck check;
    private final LocalRegions local;

    MemberTopology(
            PeerCache cache,
            GeodeOptions options,
            ClusterOptions cluster,
            FunctionRegistry functions,
            Map<String, OpenRegion> regions) {
        Definitions definitions = new Definitions(cache, options.buckets());
        Leases leases = new Leases(
                new RegionMap<>(cache, cache.spread(Leases.REGION)),
                ProcessName.self(),
                cluster.takeoverAfter(),
                System::nanoTime);
        WriteCheck check = new WriteCheck(cache, leases, regions);
        check.shared().open(false);
        super(cache, check.shared(), check.registry(), definitions, leases, functions, regions);
        this.cache = cache;
        this.cluster = cluster;
        this.check = check;
        local = new LocalRegions(cache, shared(), catalog(), options.buckets(), check.terms(), regions);
        new QueryFunction(regions, functions).register();
    }

    @Override
    void open(RegionDefinition definition) {
        LocalRegions.Opened opened = local.open(definitions().join(definition));
        local.store(opened); // clients write as soon as it is published
        OpenRegion open = new OpenRegion(
                definition, new SharedDefinition(definitions(), definition, false), opened.region(), cache, null);
        regions().put(definition.name(), open);
        definitions().publish(opened.definition());
        expiry().add(open.current());
    }

    @Override
    void requireCopies() {
        local.requireCopies(regions().values());
    }

    @Override
    void requireOpen() {
        super.requireOpen();
        PortProbe probe = cache.probe();
        if (probe != null) {
            probe.requireAnswer();
        }
    }

    @Override
    List<BackgroundTask> backgroundTasks() {
        List<BackgroundTask> tasks = new ArrayList<>(super.backgroundTasks());
        PortProbe probe = cache.probe();
        if (probe != null) {
            tasks.add(probe.task());
        }
        return tasks;
    }

    /** Starts to serve clients, once all regions are open. */
    @Override
    void serve() {
        cache.serve(cluster);
    }

    @Override
    @Nullable
    String failure() {
        return cache.failure();
    }

    @Override
    long refusedWrites() {
        return check.terms().refused();
    }

    @Override
    void leave() {
        QueryFunction.unregister();
        if (cache.isOpen()) {
            cache.transferBuckets();
        }
    }
}
