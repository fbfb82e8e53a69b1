package io.millrace.store.geode.admin;

import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.catalog.StoredDefinition.Kind;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.ClientSideCache;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.GeodeCache;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.geode.cache.StoragePolicy;
import io.millrace.store.geode.region.RegionCatalog;
import io.millrace.store.geode.region.RegionValues;
import io.millrace.store.geode.shared.Leases;
import io.millrace.store.geode.shared.RegionMap;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.geode.shared.States;
import io.millrace.store.geode.shared.StoredCommits;
import io.millrace.store.geode.shared.WriterRegistry;
import io.millrace.store.region.Memory;
import io.millrace.store.write.Commit;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.geode.cache.Region;

/**
 * The data of a running cluster, accessed as a client. Values of regions that no server has open can't be counted or
 * removed. Writers are {@linkplain WriterClaims claimed} before their data is removed or their position is reset. Not
 * thread-safe.
 */
public final class ClusterData implements StoredData {

    private static final int KEYS_AT_A_TIME = 1000;

    private final GeodeCache cache;
    private final RegionCatalog catalog;
    private final SharedMaps shared;
    private final Leases leases;
    private final WriterClaims claims;
    private final StoredPositions storedPositions;
    private final Map<String, Region<Object, byte[]>> regions = new HashMap<>();

    /**
     * Connects to a cluster.
     *
     * @throws StoreException if that is not possible
     */
    public ClusterData(ClusterOptions cluster) {
        cache = new ClientSideCache(cluster);
        catalog = new RegionCatalog(cache, null);
        shared = new SharedMaps(cache, false, null);
        leases = new Leases(
                new RegionMap<>(cache, cache.spread(Leases.REGION)),
                ProcessName.self(),
                cluster.takeoverAfter(),
                System::nanoTime);
        WriterRegistry registry =
                new WriterRegistry(shared::writers, leases, ProcessName.self(), WriterRegistry::newToken);
        claims = new WriterClaims(shared, registry, cluster.takeoverAfter().plusSeconds(2));
        storedPositions = new StoredPositions(shared, claims, true);
    }

    @Override
    public List<CatalogEntry> entries() {
        return catalog.entries(this::values);
    }

    private long values(String name, StoredDefinition definition) {
        try {
            return definition.kind() == Kind.MEASURE
                    ? States.count(shared.states(true), name)
                    : cache.size(region(name));
        } catch (RuntimeException e) {
            return CatalogEntry.UNKNOWN;
        }
    }

    private Region<Object, byte[]> region(String name) {
        return regions.computeIfAbsent(name, _ -> cache.region(name, new StoragePolicy(0, true, Memory.HEAP), null));
    }

    /** Removes an entry. Servers accept a write only with a valid term, so this method claims a writer of its own. */
    @Override
    public void remove(CatalogEntry entry) {
        String name = entry.name();
        if (entry.values() == CatalogEntry.UNKNOWN) {
            throw new StoreException("'" + name + "' is not open on any server, so it can't be removed. Configure it"
                    + " on the servers again, start them, and repeat the command.");
        }
        leases.start();
        Term tool = claims.claim(Removal.TOOL, true);
        List<Term> terms = new ArrayList<>();
        try {
            for (WriterName writer : writersOf(entry)) {
                terms.add(claims.claim(writer, true));
            }
            removeValues(entry, tool);
            catalog.remove(name);
            storedPositions.audit("regions remove name=" + name);
        } finally {
            terms.forEach(claims::release);
            claims.forget(tool);
        }
    }

    private void removeValues(CatalogEntry entry, Term term) {
        String name = entry.name();
        if (entry.definition().kind() == Kind.MEASURE) {
            Removal.removeStates(shared.states(true), name, term);
            return;
        }
        // Removed first, so that an interrupted removal leaves nothing that counts as stored.
        new StoredCommits(shared.commits(true)).removeRegion(name, term);
        RegionValues values = new RegionValues(cache, region(name));
        List<Object> keys = List.copyOf(values.keys());
        for (int i = 0; i < keys.size(); i += KEYS_AT_A_TIME) {
            values.removeAll(keys.subList(i, Math.min(keys.size(), i + KEYS_AT_A_TIME)), term);
        }
    }

    /**
     * Returns the writers that may write to a region. A writer without a commit, because its feed has no positions, may
     * write to any region.
     */
    private List<WriterName> writersOf(CatalogEntry entry) {
        Map<String, Commit> commits = positions();
        return claims.writers(true).stream()
                .filter(writer -> !writer.equals(Removal.TOOL))
                .filter(writer -> {
                    if (entry.definition().kind() == Kind.MEASURE) {
                        return StoredDefinition.isOfPipeline(entry.name(), writer.pipeline());
                    }
                    Commit commit = commits.get(writer.text());
                    return commit == null || commit.regions().containsKey(entry.name());
                })
                .toList();
    }

    @Override
    public Map<String, Commit> positions() {
        return storedPositions.all();
    }

    @Override
    public void resetPosition(String writer) {
        storedPositions.reset(writer);
    }

    @Override
    public Map<String, String> audit() {
        return storedPositions.audit();
    }

    @Override
    public void close() {
        leases.close();
        cache.close();
    }
}
