package io.millrace.store.geode;

import io.millrace.background.BackgroundTask;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeCache;
import io.millrace.store.geode.query.ClusterQueryExecutor;
import io.millrace.store.geode.region.Definitions;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.region.RegionCatalog;
import io.millrace.store.geode.shared.Leases;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.geode.shared.WriterRegistry;
import io.millrace.store.geode.write.BlockRegionWriter;
import io.millrace.store.query.RecordListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What members and clients of a cluster have in common: other processes write too, so writers are claimed for the time
 * of a lease, and regions have the same definition in all processes. Thread-safe.
 */
abstract sealed class ClusterTopology extends Topology permits MemberTopology, ClientTopology {

    private final Definitions definitions;
    private final Leases leases;

    ClusterTopology(
            GeodeCache cache,
            SharedMaps shared,
            WriterRegistry registry,
            Definitions definitions,
            Leases leases,
            FunctionRegistry functions,
            Map<String, OpenRegion> regions) {
        super(
                cache,
                shared,
                registry,
                new RegionCatalog(cache, definitions.texts()),
                new ClusterQueryExecutor(functions),
                regions);
        this.definitions = definitions;
        this.leases = leases;
    }

    /** Returns the definitions of regions that all processes use. */
    final Definitions definitions() {
        return definitions;
    }

    @Override
    final void follow(OpenRegion region, RecordListener listener) {
        throw new StoreException("Region '" + region.definition().name()
                + "' is in a cluster. A table can follow only a region of a single process.");
    }

    @Override
    final boolean statesLast(boolean persistent) {
        return true;
    }

    @Override
    final boolean alone() {
        return false;
    }

    @Override
    final void prepareClaim() {
        leases.start();
    }

    @Override
    final BlockRegionWriter.Target target(OpenRegion region) {
        return new BlockRegionWriter.Target(region.all(), region.configured(), region::toWrite, true);
    }

    @Override
    final String closedMessage() {
        return "the cluster was left";
    }

    @Override
    List<BackgroundTask> backgroundTasks() {
        List<BackgroundTask> tasks = new ArrayList<>(super.backgroundTasks());
        tasks.add(leases.task());
        return tasks;
    }

    @Override
    public final void close() {
        stopPuts();
        leases.close();
        expiry().close();
        leave();
        cache().close();
    }

    /** Ends the threads of puts. */
    void stopPuts() {}

    /** Stops serving other processes. */
    void leave() {}
}
