package io.millrace.store.geode;

import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.ExpiryCheck;
import io.millrace.store.geode.cache.PeerCache;
import io.millrace.store.geode.cache.StoragePolicy;
import io.millrace.store.geode.cache.TermCheck;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.region.RegionCatalog;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.StoredDefinitions;
import java.util.Collection;
import java.util.Map;
import org.apache.geode.cache.CacheWriter;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/** The regions whose data is in this process, alone or as a member of a cluster. Thread-safe. */
final class LocalRegions {

    private final PeerCache cache;
    private final SharedMaps shared;
    private final RegionCatalog catalog;
    private final int buckets;
    private final @Nullable TermCheck check;
    private final Map<String, OpenRegion> regions;

    /**
     * @param buckets number of buckets of a region
     * @param check of each write, null for none
     * @param regions the open regions of this process, by name
     */
    LocalRegions(
            PeerCache cache,
            SharedMaps shared,
            RegionCatalog catalog,
            int buckets,
            @Nullable TermCheck check,
            Map<String, OpenRegion> regions) {
        this.cache = cache;
        this.shared = shared;
        this.catalog = catalog;
        this.buckets = buckets;
        this.check = check;
        this.regions = regions;
    }

    /**
     * A region as it was opened.
     *
     * @param definition with the earlier versions of its schema
     */
    record Opened(RegionDefinition definition, Region<Object, byte[]> region) {}

    /**
     * Opens a region, unless it is on disk and contains data that its definition can't be used with. If the catalog has
     * another definition, it stays there until {@link #store} is called, before the first write.
     *
     * @throws io.millrace.store.error.DefinitionChangedException if it contains such data
     */
    Opened open(RegionDefinition definition) {
        String name = definition.name();
        StoragePolicy policy = StoragePolicy.of(definition);
        if (!policy.persistent()) {
            return new Opened(definition, cache.region(name, policy, check(definition)));
        }
        StoredDefinition configured = StoredDefinitions.of(definition, buckets);
        catalog.requireOpenable(name, configured);
        // Opened before the first region that needs it: the check of writes to that region reads it.
        shared.open(true);
        Region<Object, byte[]> region = cache.region(name, policy, check(definition));
        try {
            StoredDefinition next = catalog.accept(name, configured, region.isEmpty(), true);
            return new Opened(definition.withHistory(next.history()), region);
        } catch (StoreException e) {
            region.close();
            throw e;
        }
    }

    private @Nullable CacheWriter<Object, Object> check(RegionDefinition definition) {
        boolean entriesExpire =
                definition.layout() == Layout.ENTRIES && definition.retention().limited();
        ExpiryCheck admission = check == null && entriesExpire ? new ExpiryCheck() : check;
        return definition.latest() == null
                ? admission
                : new LatestCheck(admission, () -> regions.get(definition.name()));
    }

    /**
     * Stores the definition of a region on disk in the catalog, before anything is written with it. For many regions
     * that were opened before, the disk is forced once.
     */
    void store(Opened opened) {
        RegionDefinition definition = opened.definition();
        if (definition.persistent()) {
            StoredDefinition configured = StoredDefinitions.of(definition, buckets);
            catalog.admit(definition.name(), configured, opened.region().isEmpty(), true);
            cache.forceRecords();
        }
    }

    /**
     * Requires that all values of these regions have their configured redundant copies.
     *
     * @throws StoreException naming a region that lacks copies
     */
    void requireCopies(Collection<OpenRegion> regions) {
        for (OpenRegion region : regions) {
            int lacking = cache.lackingCopies(region.region());
            if (lacking > 0) {
                throw new StoreException("Region '" + region.region().getName() + "' lacks redundant copies of "
                        + lacking + " buckets. Wait until they are restored, or start the missing servers.");
            }
        }
    }
}
