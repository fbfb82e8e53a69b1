package io.millrace.store.geode;

import io.millrace.background.BackgroundTask;
import io.millrace.background.SteadyClock;
import io.millrace.schema.NearestName;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeCache;
import io.millrace.store.geode.expiry.ExpiryScheduler;
import io.millrace.store.geode.query.QueryExecutor;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.region.RegionCatalog;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.geode.shared.WriterRegistry;
import io.millrace.store.geode.write.BlockRegionWriter;
import io.millrace.store.geode.write.PutExecutor;
import io.millrace.store.query.RecordListener;
import io.millrace.store.region.RegionDefinition;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a process takes part in storing regions: alone, as a member of a cluster, or as a client of one. Everything that
 * differs between them is decided here, so that {@link GeodeStore} needs no condition. Thread-safe.
 */
abstract sealed class Topology implements AutoCloseable permits EmbeddedTopology, ClusterTopology {

    private final GeodeCache cache;
    private final SharedMaps shared;
    private final WriterRegistry registry;
    private final RegionCatalog catalog;
    private final QueryExecutor queries;
    private final Map<String, OpenRegion> regions;
    private final ExpiryScheduler expiry;

    /** @param regions receives the regions that are opened, by name */
    Topology(
            GeodeCache cache,
            SharedMaps shared,
            WriterRegistry registry,
            RegionCatalog catalog,
            QueryExecutor queries,
            Map<String, OpenRegion> regions) {
        this.cache = cache;
        this.shared = shared;
        this.registry = registry;
        this.catalog = catalog;
        this.queries = queries;
        this.regions = regions;
        expiry = new ExpiryScheduler(cache::isOpen, SteadyClock.SYSTEM);
    }

    /** Returns the cache. */
    final GeodeCache cache() {
        return cache;
    }

    /** Returns the data in addition to the values of regions. */
    final SharedMaps shared() {
        return shared;
    }

    /** Returns the writers and their terms. */
    final WriterRegistry registry() {
        return registry;
    }

    /** Returns the definitions that data was stored under. */
    final RegionCatalog catalog() {
        return catalog;
    }

    /** Returns what runs queries. */
    final QueryExecutor queries() {
        return queries;
    }

    /** Returns the scheduler that removes expired records; it has no regions if they are on servers only. */
    final ExpiryScheduler expiry() {
        return expiry;
    }

    /** Returns the open regions, by name. */
    final Map<String, OpenRegion> regions() {
        return regions;
    }

    /**
     * Opens a region with all its data.
     *
     * @throws io.millrace.store.error.DefinitionChangedException if it contains records that can't be used with this
     *     definition
     */
    abstract void open(RegionDefinition definition);

    /**
     * Opens a region that has not been opened, with the definition that the cluster's servers have.
     *
     * @throws StoreException if this process is not a client, the servers have no such region, or none answers
     */
    RegionDefinition openFound(String name) {
        throw notOpen(name);
    }

    /** Returns the failure of a call that names a region that is not open. */
    final StoreException notOpen(String name) {
        List<String> open = List.copyOf(regions.keySet());
        String hint = open.isEmpty() ? "" : " " + NearestName.sentence(name, open);
        return new StoreException("Region '" + name + "' is not open." + hint);
    }

    /**
     * Passes all records of a region, and each change, to a listener.
     *
     * @throws StoreException if this process does not have all records
     */
    abstract void follow(OpenRegion region, RecordListener listener);

    /** Returns whether states outlast this process, on disk or in the memory of servers. */
    abstract boolean statesLast(boolean persistent);

    /** Returns whether this process runs alone, with a data folder of its own. */
    abstract boolean alone();

    /** Prepares the claim of a writer. */
    abstract void prepareClaim();

    /** Returns a region as the target of a writer. */
    abstract BlockRegionWriter.Target target(OpenRegion region);

    /**
     * Returns what runs the puts of blocks: the calling thread, as a put into this process' own memory takes less time
     * than passing it to another thread.
     */
    PutExecutor puts() {
        return PutExecutor.SAME_THREAD;
    }

    /** Returns the maximum number of puts in flight for each writer. */
    int putsInFlight() {
        return 1;
    }

    /**
     * Requires that the cache is open, that regions on a disk of this process may grow, and that its port answers.
     *
     * @throws StoreException with the reason if not
     */
    void requireOpen() {
        if (!cache.isOpen()) {
            throw new StoreException(closedMessage());
        }
        cache.requireSpace();
    }

    /** Returns the message for calls while the cache is closed. */
    abstract String closedMessage();

    /**
     * Requires that all values have their configured redundant copies; has no effect on a client.
     *
     * @throws StoreException naming a region that lacks copies
     */
    abstract void requireCopies();

    /** Starts to serve clients, on a member of a cluster. */
    void serve() {}

    /** Returns the failure that closed the cache; null after a forced disconnect, or while it is open. */
    abstract @Nullable String failure();

    /** Returns whether the cache was closed because a disk file of this process is truncated. */
    boolean isTruncated() {
        return false;
    }

    /** Returns how many writes of ended terms this process has refused. */
    long refusedWrites() {
        return 0;
    }

    /** Returns the tasks that run in this process. */
    List<BackgroundTask> backgroundTasks() {
        return expiry.tasks();
    }

    /** Stops what runs, leaves the cluster, and closes the cache. */
    @Override
    public abstract void close();
}
