package io.millrace.store.geode;

import io.millrace.codec.Counter;
import io.millrace.store.BlockChecks;
import io.millrace.store.BlockKey;
import io.millrace.store.RegionDefinition;
import io.millrace.store.StoreException;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/** A region with its definition, and who writes to it. Thread-safe. */
final class OpenRegion {

    private final RegionDefinition definition;
    private final Region<Object, byte[]> region;
    private final GeodeCache cache;
    private final Runnable requirement;
    private final BlockChecks checks = new BlockChecks();
    /** Null where the region is elsewhere. */
    private final @Nullable LocalValues values;

    private final @Nullable BlockIndex blocks;
    private final Counter expired = new Counter();
    private final Map<Integer, String> pipelines = new ConcurrentHashMap<>();

    /** @param requirement throws a {@link StoreException} where the region is not there, or is another one */
    OpenRegion(RegionDefinition definition, Region<Object, byte[]> region, GeodeCache cache, Runnable requirement) {
        this.requirement = requirement;
        this.cache = cache;
        this.definition = definition;
        this.region = region;
        values = cache.remote() ? null : new LocalValues(region);
        blocks = values == null ? null : new BlockIndex(values);
    }

    RegionDefinition definition() {
        return definition;
    }

    Region<Object, byte[]> region() {
        return region;
    }

    /**
     * Makes sure that the region is there, and is this one, before anything is written to it.
     *
     * @throws StoreException where it is not
     */
    void requireThere() {
        requirement.run();
    }

    /** The keys of all that the region holds, wherever it is. */
    Set<Object> keys() {
        try {
            return cache.keys(region);
        } catch (RuntimeException e) {
            throw failure("listing of keys", e);
        }
    }

    byte @Nullable [] get(Object key) {
        try {
            return region.get(key);
        } catch (RuntimeException e) {
            throw failure("get of " + named(key), e);
        }
    }

    /** What of its blocks was checked already. */
    BlockChecks checks() {
        return checks;
    }

    /** What this member has of it; not to be asked where the region is elsewhere. */
    LocalValues values() {
        return Objects.requireNonNull(values);
    }

    /** The blocks that this member has; not to be asked where the region is elsewhere. */
    BlockIndex blocks() {
        return Objects.requireNonNull(blocks);
    }

    /** How many records were removed here for the region's retention. */
    long expired() {
        return expired.get();
    }

    /** Takes a pipeline's hash for it, so that no two pipelines write under the same keys. */
    void admit(String pipeline) {
        String other = pipelines.putIfAbsent(BlockKey.pipelineHash(pipeline), pipeline);
        if (other != null && !other.equals(pipeline)) {
            throw new StoreException("region=" + definition.name() + " pipeline=" + pipeline
                    + " has the same block keys as pipeline=" + other + ": rename one of them");
        }
    }

    /** Puts one value and returns how long that took, in nanoseconds. */
    long put(Object key, byte[] value) {
        long start = System.nanoTime();
        try {
            region.put(key, value);
        } catch (RuntimeException e) {
            throw failure("put of " + named(key), e);
        }
        return System.nanoTime() - start;
    }

    /** Puts many values and returns how long that took, in nanoseconds. */
    long putAll(Map<Object, byte[]> values) {
        long start = System.nanoTime();
        try {
            region.putAll(values);
        } catch (RuntimeException e) {
            throw failure("put of " + values.size() + " entries", e);
        }
        return System.nanoTime() - start;
    }

    /** Removes entries, as far as they are there, and returns how long that took, in nanoseconds. */
    long removeAll(Collection<?> keys) {
        long start = System.nanoTime();
        try {
            region.removeAll(keys);
        } catch (RuntimeException e) {
            throw failure("removal of " + keys.size() + " entries", e);
        }
        return System.nanoTime() - start;
    }

    /** Removes blocks that are kept no longer, and counts their records. */
    void expire(Collection<Long> keys, long records) {
        removeAll(keys);
        expired.add(records);
    }

    /** Removes an entry that is kept no longer, unless it has another value by now, and says whether it did. */
    boolean expire(Object key, byte[] value) {
        try {
            boolean removed = region.remove(key, value);
            expired.add(removed ? 1 : 0);
            return removed;
        } catch (RuntimeException e) {
            throw failure("removal of " + named(key), e);
        }
    }

    private static String named(Object key) {
        return "key=" + (key instanceof Long block ? BlockKey.format(block) : key);
    }

    private StoreException failure(String what, RuntimeException cause) {
        return new StoreException(
                "region=" + definition.name() + " " + what + " failed: " + Causes.first(cause), cause);
    }
}
