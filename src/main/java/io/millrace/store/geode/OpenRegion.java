package io.millrace.store.geode;

import io.millrace.codec.Counter;
import io.millrace.store.BlockChecks;
import io.millrace.store.RegionDefinition;
import io.millrace.store.StoreException;
import java.util.Collection;
import java.util.Objects;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/** A region with its definition. Thread-safe. */
final class OpenRegion {

    private final RegionDefinition definition;
    private final Region<Object, byte[]> region;
    private final RegionValues values;
    private final Runnable requirement;
    private final BlockChecks checks = new BlockChecks();
    /** Null where the region is elsewhere. */
    private final @Nullable LocalValues localValues;

    private final @Nullable BlockIndex blocks;
    private final Counter expired = new Counter();

    /** @param requirement throws a {@link StoreException} where the region is not there, or is another one */
    OpenRegion(RegionDefinition definition, Region<Object, byte[]> region, GeodeCache cache, Runnable requirement) {
        this.requirement = requirement;
        this.definition = definition;
        this.region = region;
        values = new RegionValues(cache, region);
        localValues = cache.remote() ? null : new LocalValues(region);
        blocks = localValues == null ? null : new BlockIndex(localValues);
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

    /** Returns all values of the region, wherever they are. */
    RegionValues all() {
        return values;
    }

    /** What of its blocks was checked already. */
    BlockChecks checks() {
        return checks;
    }

    /** What this member has of it; not to be asked where the region is elsewhere. */
    LocalValues values() {
        return Objects.requireNonNull(localValues);
    }

    /** The blocks that this member has; not to be asked where the region is elsewhere. */
    BlockIndex blocks() {
        return Objects.requireNonNull(blocks);
    }

    /** How many records were removed here for the region's retention. */
    long expired() {
        return expired.get();
    }

    /** Removes blocks that are kept no longer, and counts their records. */
    void expire(Collection<Long> keys, long records) {
        values.expire(keys);
        expired.add(records);
    }

    /** Removes an entry that is kept no longer, unless it has another value by now, and says whether it did. */
    boolean expire(Object key, byte[] value) {
        boolean removed = values.expire(key, value);
        expired.add(removed ? 1 : 0);
        return removed;
    }
}
