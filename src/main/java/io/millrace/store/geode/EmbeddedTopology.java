package io.millrace.store.geode;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cache.PeerCache;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.geode.query.LocalQueryExecutor;
import io.millrace.store.geode.query.QueryFunction;
import io.millrace.store.geode.region.DefinitionInUse;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.region.RecordEvents;
import io.millrace.store.geode.region.RegionCatalog;
import io.millrace.store.geode.shared.SharedMap;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.geode.shared.WriterRegistry;
import io.millrace.store.geode.write.BlockRegionWriter;
import io.millrace.store.query.RecordListener;
import io.millrace.store.region.RegionDefinition;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs alone: it has all data, and no other process writes. So no term is checked, no lease renewed, and
 * no definition compared with those of others. Thread-safe.
 */
final class EmbeddedTopology extends Topology {

    private final PeerCache cache;
    private final LocalRegions local;

    EmbeddedTopology(
            PeerCache cache,
            GeodeOptions options,
            FunctionRegistry functions,
            Map<String, OpenRegion> regions,
            SharedMap<String> writersInMemory) {
        SharedMaps shared = new SharedMaps(cache, true, null);
        shared.useWritersInMemory(writersInMemory);
        super(
                cache,
                shared,
                new WriterRegistry(shared::writers, null, ProcessName.self(), WriterRegistry::newToken),
                new RegionCatalog(cache, null),
                new LocalQueryExecutor(functions),
                regions);
        this.cache = cache;
        local = new LocalRegions(cache, shared, catalog(), options.buckets(), null, regions);
        new QueryFunction(regions, functions).register();
    }

    @Override
    void open(RegionDefinition definition) {
        // This process alone writes, so a writer that has used up its allowance runs expiry itself.
        LocalRegions.Opened opened = local.open(definition);
        RegionDefinition stored = opened.definition();
        OpenRegion open = new OpenRegion(
                stored, DefinitionInUse.of(stored, () -> local.store(opened)), opened.region(), cache, expiry()::run);
        regions().put(definition.name(), open);
        expiry().add(open);
    }

    @Override
    void follow(OpenRegion region, RecordListener listener) {
        RecordEvents.follow(region, listener);
    }

    @Override
    boolean statesLast(boolean persistent) {
        return persistent;
    }

    @Override
    boolean alone() {
        return true;
    }

    @Override
    void prepareClaim() {
        // A claim always succeeds: a data folder belongs to one process.
        cache.forceRecords(); // the claim is a value, too
    }

    @Override
    BlockRegionWriter.Target target(OpenRegion region) {
        return new BlockRegionWriter.Target(region.all(), region.configured(), region::toWrite, false);
    }

    @Override
    String closedMessage() {
        return "Geode is closed in this process.";
    }

    @Override
    void requireCopies() {
        local.requireCopies(regions().values());
    }

    @Override
    @Nullable
    String failure() {
        return cache.failure();
    }

    @Override
    boolean isTruncated() {
        return cache.isTruncated();
    }

    @Override
    public void close() {
        expiry().close();
        QueryFunction.unregister();
        cache.close();
    }
}
