package io.millrace.store.geode.region;

import io.millrace.codec.Counter;
import io.millrace.schema.SchemaDescription;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeCache;
import io.millrace.store.region.EntryVersions;
import io.millrace.store.region.RegionDefinition;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/** A region with its definition. Thread-safe. */
public final class OpenRegion {

    private final RegionDefinition definition;
    private final Region<Object, byte[]> region;
    private final RegionValues values;
    private final Supplier<List<SchemaDescription>> requirement;
    private final EntryVersions entryVersions;
    private final BlockChecks checks = new BlockChecks();
    /** Null if the region is on servers only. */
    private final @Nullable LocalValues localValues;

    private final @Nullable BlockIndex blocks;
    private final Counter expired = new Counter();
    /** Null if the region has no size limit, or is on servers only. */
    private volatile @Nullable WriteAllowance allowance;

    /**
     * @param requirement returns the earlier versions of the schema; throws a {@link StoreException} if the region is
     *     not available, or has another definition
     * @param runExpiry runs expiry of the region immediately if this process runs alone and so is the only one that
     *     writes; null if servers admit writes
     */
    public OpenRegion(
            RegionDefinition definition,
            Region<Object, byte[]> region,
            GeodeCache cache,
            Supplier<List<SchemaDescription>> requirement,
            @Nullable Consumer<OpenRegion> runExpiry) {
        this.requirement = requirement;
        this.definition = definition;
        this.region = region;
        entryVersions = EntryVersions.of(definition);
        values = runExpiry == null
                ? new RegionValues(cache, region)
                : new RegionValues(cache, region, bytes -> admit(bytes, runExpiry));
        localValues = cache.remote() ? null : new LocalValues(region);
        blocks = localValues == null ? null : new BlockIndex(localValues);
    }

    private void admit(int bytes, Consumer<OpenRegion> runExpiry) {
        WriteAllowance bounded = allowance;
        while (bounded != null && !bounded.take(bytes)) {
            runExpiry.accept(this);
        }
    }

    /** Returns the definition that the region was opened with. */
    public RegionDefinition definition() {
        return definition;
    }

    /** Returns Geode's region. */
    public Region<Object, byte[]> region() {
        return region;
    }

    /**
     * Requires that the region is available with this definition, before anything is written to it.
     *
     * @throws StoreException if it is not
     */
    public void requireThere() {
        var _ = requirement.get();
    }

    /**
     * Returns the definition with the earlier versions of its schema, before anything is written to the region.
     *
     * @throws StoreException if the region is not available with this definition
     */
    public RegionDefinition stored() {
        return definition.withHistory(requirement.get());
    }

    /** Returns all values of the region, on all members. */
    public RegionValues all() {
        return values;
    }

    /** Returns the versions of its entries. */
    public EntryVersions entryVersions() {
        return entryVersions;
    }

    /** Returns which of its blocks were already checked. */
    public BlockChecks checks() {
        return checks;
    }

    /** Returns the region's values on this member. Must not be called if the region is on servers only. */
    public LocalValues values() {
        return Objects.requireNonNull(localValues);
    }

    /** Returns the index of the blocks on this member. Must not be called if the region is on servers only. */
    public BlockIndex blocks() {
        return Objects.requireNonNull(blocks);
    }

    /** Returns the allowance for writes until the next expiry run; null if the region has no size limit. */
    @Nullable
    public WriteAllowance allowance() {
        return allowance;
    }

    /** Limits writes from now on. */
    public void bound(WriteAllowance newAllowance) {
        allowance = newAllowance;
    }

    /** Returns the number of records that retention removed on this member. */
    public long expired() {
        return expired.get();
    }

    /** Removes expired blocks, and counts their records. */
    public void expire(Collection<Long> keys, long records) {
        values.expire(keys);
        expired.add(records);
    }

    /** Replaces a value by one with the same records, unless it has changed, and returns whether it did. */
    public boolean replace(Object key, byte[] before, byte[] after) {
        return values.replace(key, before, after);
    }

    /** Removes an expired entry, unless it has another value by now, and returns whether it was removed. */
    public boolean expire(Object key, byte[] value) {
        boolean removed = values.expire(key, value);
        expired.add(removed ? 1 : 0);
        return removed;
    }
}
