package io.millrace.store.geode;

import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoreCatalog;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.catalog.StoredDefinition.Kind;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.Causes;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.geode.shared.States;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.StateStores;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.geode.GemFireException;

/** The states of measures in Geode, and the catalog of what was stored in regions and states. Thread-safe. */
final class GeodeStates implements StateStores, StoreCatalog {

    private final Topology topology;
    /** Names in the catalog of measures that were opened. */
    private final Set<String> measures = ConcurrentHashMap.newKeySet();

    /** By whether they are stored on disk. */
    private final Map<Boolean, StateStore> stores = new ConcurrentHashMap<>();

    GeodeStates(Topology topology) {
        this.topology = topology;
    }

    @Override
    public synchronized void openStates(boolean persistent) {
        if (!stores.containsKey(persistent)) {
            stores.put(persistent, new States(topology.shared().states(persistent), topology.statesLast(persistent)));
        }
    }

    @Override
    public void openMeasure(String name, StoredDefinition definition, boolean persistent) {
        if (states(persistent).lasting()) {
            topology.catalog().admit(name, definition, !hasState(name, persistent), persistent);
        }
        measures.add(name);
    }

    private boolean hasState(String measure, boolean persistent) {
        return States.count(topology.shared().states(persistent), measure) > 0;
    }

    @Override
    public StateStore states(boolean persistent) {
        StateStore states = stores.get(persistent);
        if (states == null) {
            throw new StoreException("Region '" + SharedMaps.STATES + "' is not open.");
        }
        return states;
    }

    @Override
    public List<CatalogEntry> catalog() {
        List<CatalogEntry> entries = new ArrayList<>();
        Map<String, StoredDefinition> all = topology.catalog().all();
        try {
            all.forEach((name, definition) -> entries.add(entry(name, definition)));
        } catch (GemFireException e) {
            throw new StoreException("The stored values can't be counted: " + Causes.first(e), e);
        }
        return entries;
    }

    private CatalogEntry entry(String name, StoredDefinition definition) {
        OpenRegion region = topology.regions().get(name);
        if (region != null && region.definition().persistent()) {
            return new CatalogEntry(name, definition, true, topology.cache().size(region.region()));
        }
        return definition.kind() == Kind.MEASURE && stores.containsKey(true)
                ? new CatalogEntry(name, definition, measures.contains(name), hasState(name, true) ? 1 : 0)
                : new CatalogEntry(name, definition, false, CatalogEntry.UNKNOWN);
    }
}
