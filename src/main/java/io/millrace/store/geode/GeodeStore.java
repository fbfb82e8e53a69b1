package io.millrace.store.geode;

import io.millrace.codec.RejectSink;
import io.millrace.expression.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.store.Layout;
import io.millrace.store.Query;
import io.millrace.store.QueryResult;
import io.millrace.store.QueryScan;
import io.millrace.store.RegionDefinition;
import io.millrace.store.RegionInfo;
import io.millrace.store.RegionWriter;
import io.millrace.store.Reject;
import io.millrace.store.RejectFormat;
import io.millrace.store.RejectWriter;
import io.millrace.store.Removals;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/** The store in a Geode embedded in this process. There may be one open in a process at a time. */
public final class GeodeStore implements Store {

    /** Region of positions that no block tells. */
    public static final String POSITIONS = "millrace-positions";

    private final EmbeddedCache cache;
    private final FunctionRegistry functions;
    private final Positions positions;
    private final Map<String, OpenRegion> regions = new ConcurrentHashMap<>();
    private final Map<String, Region<String, byte[]>> rejects = new ConcurrentHashMap<>();

    /**
     * Starts Geode, for queries that call built-in functions only.
     *
     * @throws StoreException where the folder can't be used, such as when another process does
     */
    public GeodeStore(GeodeOptions options) {
        this(options, FunctionRegistry.empty());
    }

    /**
     * Starts Geode.
     *
     * @param functions that queries may call besides the built-in ones
     * @throws StoreException where the folder can't be used, such as when another process does
     */
    public GeodeStore(GeodeOptions options, FunctionRegistry functions) {
        this.functions = functions;
        cache = new EmbeddedCache(options);
        positions = new Positions(() -> cache.region(POSITIONS, 0, true));
    }

    @Override
    public synchronized void open(RegionDefinition definition) {
        String name = definition.name();
        refuseTaken(name);
        Region<Object, byte[]> region = cache.region(name, definition.copies(), definition.persistent());
        if (definition.persistent()) {
            try {
                checkSchema(definition, region);
            } catch (StoreException e) {
                region.close();
                throw e;
            }
        }
        regions.put(name, new OpenRegion(definition, region));
    }

    private void checkSchema(RegionDefinition definition, Region<Object, byte[]> region) {
        long fingerprint = definition.schema().fingerprint();
        Long held = positions.fingerprint(definition.name());
        if (held == null || held != fingerprint) {
            if (held != null && !region.isEmpty()) {
                throw new StoreException("region=" + definition.name() + " holds records of a schema with fingerprint="
                        + HexFormat.of().toHexDigits(held) + ", not of " + definition.schema()
                        + ": give this schema a region of another name");
            }
            positions.putFingerprint(definition.name(), fingerprint);
        }
    }

    @Override
    public synchronized void openRejects(String name, int copies, boolean persistent) {
        refuseTaken(name);
        rejects.put(name, cache.region(name, copies, persistent));
    }

    private void refuseTaken(String name) {
        if (regions.containsKey(name) || rejects.containsKey(name) || name.equals(POSITIONS)) {
            throw new StoreException("region=" + name + " is open already");
        }
    }

    @Override
    public RegionWriter writer(String name, String pipeline, int partition, Schema records, RejectSink sink) {
        OpenRegion region = known(name, regions.get(name));
        if (region.definition().layout() == Layout.ENTRIES) {
            String position = Positions.key(name, pipeline, partition);
            return new EntryRegionWriter(
                    region, positions, position, records, removals(region.definition(), records), sink);
        }
        region.admit(pipeline);
        return new BlockRegionWriter(region, pipeline, partition, records);
    }

    private @Nullable Removals removals(RegionDefinition definition, Schema records) {
        String remove = definition.remove();
        return remove == null
                ? null
                : new Removals(Removals.compile(remove, records, functions).loop(), records);
    }

    @Override
    public RejectWriter rejectWriter(String name, String pipeline, int partition) {
        return new GeodeRejectWriter(known(name, rejects.get(name)), pipeline, partition);
    }

    @Override
    public List<String> regions() {
        return regions.keySet().stream().sorted().toList();
    }

    @Override
    public RegionDefinition definition(String name) {
        return known(name, regions.get(name)).definition();
    }

    @Override
    public RegionInfo info(String name) {
        return new RegionReader(known(name, regions.get(name))).info();
    }

    @Override
    public byte @Nullable [] get(String name, String key) {
        return new RegionReader(known(name, regions.get(name))).get(key);
    }

    @Override
    public QueryResult query(String name, Query query) {
        OpenRegion region = known(name, regions.get(name));
        QueryScan scan = QueryScan.of(region.definition(), query, functions);
        new RegionReader(region).scan(scan);
        return scan.finish();
    }

    @Override
    public List<String> rejectRegions() {
        return rejects.keySet().stream().sorted().toList();
    }

    @Override
    public long rejectCount(String name) {
        return known(name, rejects.get(name)).size();
    }

    @Override
    public List<Reject> rejects(String name, int limit) {
        Region<String, byte[]> region = known(name, rejects.get(name));
        List<Reject> found = new ArrayList<>();
        // Copied before it becomes a stream: that relies on the set's size, which others change meanwhile.
        for (String key : new TreeSet<>(region.keySet()).stream().limit(limit).toList()) {
            byte[] value = region.get(key);
            if (value != null) {
                found.add(RejectFormat.decode(key, value));
            }
        }
        return found;
    }

    private static <T> T known(String name, @Nullable T region) {
        if (region == null) {
            throw new StoreException("region=" + name + " is not open");
        }
        return region;
    }

    @Override
    public void close() {
        cache.close();
    }
}
