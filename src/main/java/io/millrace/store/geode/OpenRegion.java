package io.millrace.store.geode;

import io.millrace.codec.Counter;
import io.millrace.store.BlockChecks;
import io.millrace.store.RegionDefinition;
import io.millrace.store.StoreException;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Consumer;
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
    /** Null where the region has no bound, or is elsewhere. */
    private volatile @Nullable WriteAllowance allowance;

    /**
     * @param requirement throws a {@link StoreException} where the region is not there, or is another one
     * @param sweep sweeps the region at once where this process is alone and so the one that writes; null where servers
     *     admit writes
     */
    OpenRegion(
            RegionDefinition definition,
            Region<Object, byte[]> region,
            GeodeCache cache,
            Runnable requirement,
            @Nullable Consumer<OpenRegion> sweep) {
        this.requirement = requirement;
        this.definition = definition;
        this.region = region;
        values = sweep == null
                ? new RegionValues(cache, region)
                : new RegionValues(cache, region, bytes -> admit(bytes, sweep));
        localValues = cache.remote() ? null : new LocalValues(region);
        blocks = localValues == null ? null : new BlockIndex(localValues);
    }

    private void admit(int bytes, Consumer<OpenRegion> sweep) {
        WriteAllowance bounded = allowance;
        while (bounded != null && !bounded.take(bytes)) {
            sweep.accept(this);
        }
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

    /** How much may be written until the next sweep; null where the region has no bound. */
    @Nullable
    WriteAllowance allowance() {
        return allowance;
    }

    /** Bounds what is written from now on. */
    void bound(WriteAllowance newAllowance) {
        allowance = newAllowance;
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
