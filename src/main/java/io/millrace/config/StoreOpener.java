package io.millrace.config;

import io.millrace.config.plan.Setup;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.Role;
import io.millrace.config.properties.TableProperties;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.Store;
import io.millrace.store.UnconfiguredRegions;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.EmbeddedStore;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.ServerStore;
import io.millrace.store.geode.admin.DataFolder;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.GeodeMemory;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.table.LiveTable;
import io.millrace.table.Table;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the store of a service with its regions: on a server, embedded, or as a client of a cluster.
 *
 * @param functions functions that queries may call
 */
record StoreOpener(Setup setup, MillraceProperties properties, FunctionRegistry functions) {

    private static final Logger LOG = LoggerFactory.getLogger(StoreOpener.class);

    /**
     * Returns the open store.
     *
     * @param cluster the cluster to join; null for an embedded store
     * @throws StoreException if it can't be opened
     */
    Store open(@Nullable ClusterOptions cluster) {
        GeodeMemory memory = MemoryReader.read(properties.geode());
        if (properties.role() == Role.SERVER) {
            return server(Objects.requireNonNull(cluster), memory);
        }
        return cluster == null ? embedded(memory) : client(cluster);
    }

    private Store server(ClusterOptions cluster, GeodeMemory memory) {
        ServerStore store =
                new ServerStore(GeodeOptions.member(properties.data(), cluster).with(memory), functions);
        openRegions(store);
        store.start();
        return store;
    }

    private Store embedded(GeodeMemory memory) {
        GeodeOptions options = GeodeOptions.inFolder(properties.data())
                .with(memory)
                .withDiskReserve(properties.dataReserve().toBytes());
        EmbeddedStore store = new EmbeddedStore(options, functions);
        try {
            openRegions(store);
            openMeasures(store);
            warnOfUnconfigured(store);
            follow(store);
            store.start();
            return store;
        } catch (StoreException e) {
            store.close();
            throw e;
        }
    }

    private Store client(ClusterOptions cluster) {
        Store store = new GeodeStore(GeodeOptions.client(cluster), functions);
        try {
            openRegions(store);
            follow(store);
            return store;
        } catch (StoreException e) {
            store.close();
            throw e;
        }
    }

    private void openRegions(Store store) {
        setup.regions().forEach(store::open);
        setup.statePersistence().forEach(store::openStates);
    }

    /** Not for a cluster, whose servers may not be up yet: there, each pipeline compares its measures at its start. */
    private void openMeasures(Store store) {
        setup.stored().forEach((name, definition) -> {
            if (definition.kind() == StoredDefinition.Kind.MEASURE) {
                store.openMeasure(name, definition, true);
            }
        });
    }

    private void warnOfUnconfigured(Store store) {
        UnconfiguredRegions.log(store);
        if (setup.stored().isEmpty() && DataFolder.isOne(properties.data())) {
            LOG.warn(
                    "Data folder holds data, but no region is configured as persistent: folder={}. To list it, stop the"
                            + " service and run: millrace regions list --data {}",
                    properties.data(),
                    properties.data());
        }
    }

    /** Must run before any pipeline writes to the regions. */
    private void follow(Store store) {
        for (Table table : setup.tables().all()) {
            TableProperties configured = properties.tables().get(table.name());
            if (table instanceof LiveTable live && configured != null && configured.region() != null) {
                store.follow(configured.region(), new RegionFollower(live));
            }
        }
    }
}
