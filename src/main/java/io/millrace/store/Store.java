package io.millrace.store;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.store.catalog.StoreCatalog;
import io.millrace.store.query.RecordListener;
import io.millrace.store.query.RegionMigrations;
import io.millrace.store.query.RegionQueries;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.RuleVersions;
import io.millrace.store.write.StateStores;
import java.util.List;

/**
 * Regions of records, open for writing and reading. Those who need only a part of it take the interface of that part.
 * Thread-safe; the writers it returns are not.
 */
public interface Store
        extends RegionWriters,
                RegionMigrations,
                StateStores,
                RegionQueries,
                StoreCatalog,
                StoreStatus,
                BackgroundTasks,
                AutoCloseable {

    /**
     * Opens a region, with all its data on disk.
     *
     * @throws io.millrace.store.error.DefinitionChangedException if it contains records that can't be used with this
     *     definition
     * @throws io.millrace.store.error.StoreException if it is already open
     */
    void open(RegionDefinition definition);

    /**
     * Passes to a listener all records of a region of entries whose key is one field, and from then on each that is put
     * or removed. Must be called before the first write to the region.
     *
     * @throws io.millrace.store.error.StoreException if the region's records are not in this process
     */
    void follow(String region, RecordListener listener);

    /** Returns the tasks that the store runs in this process, such as retention. */
    @Override
    default List<BackgroundTask> backgroundTasks() {
        return List.of();
    }

    /**
     * Returns the versions of the rules of pipelines. Call it each time, since the store may be replaced.
     *
     * @param persistent whether to return those that are stored on disk, or those of pipelines whose regions are all in
     *     memory
     * @throws io.millrace.store.error.StoreException if the store is not available
     */
    RuleVersions ruleVersions(boolean persistent);

    /**
     * Adds an entry to the log of manual changes.
     *
     * @param persistent whether to store it on disk, with the pipelines that it is about
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    void audit(String entry, boolean persistent);

    @Override
    void close();
}
