package io.millrace.store.geode.region;

import io.millrace.codec.Counter;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeCache;
import io.millrace.store.query.LatestField;
import io.millrace.store.region.EntryVersions;
import io.millrace.store.region.RegionDefinition;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A region with its definition. Thread-safe. */
public final class OpenRegion {

    /** What reads the region, with one version of its schema. */
    private record Version(
            RegionDefinition definition,
            EntryVersions entries,
            @Nullable LatestField latest) {

        static Version of(RegionDefinition definition) {
            EntryVersions entries = EntryVersions.of(definition);
            return new Version(definition, entries, LatestField.of(definition, entries));
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(OpenRegion.class);

    private final RegionDefinition configured;
    private final DefinitionInUse inUse;
    private final Region<Object, byte[]> region;
    private final RegionValues values;
    private final BlockChecks checks = new BlockChecks();
    /** Null if the region is on servers only. */
    private final @Nullable LocalValues localValues;

    private final @Nullable BlockIndex blocks;
    private final Counter expired = new Counter();
    private volatile Version version;
    /** Null if the region has no size limit, or is on servers only. */
    private volatile @Nullable WriteAllowance allowance;

    /**
     * @param configured definition in this process
     * @param inUse definition that the region is used with
     * @param runExpiry runs expiry of the region immediately if this process runs alone and so is the only one that
     *     writes; null if servers admit writes
     */
    public OpenRegion(
            RegionDefinition configured,
            DefinitionInUse inUse,
            Region<Object, byte[]> region,
            GeodeCache cache,
            @Nullable Consumer<OpenRegion> runExpiry) {
        this.configured = configured;
        this.inUse = inUse;
        this.region = region;
        version = Version.of(configured);
        values = runExpiry == null
                ? new RegionValues(cache, region)
                : new RegionValues(cache, region, (key, length) -> admit(key, length, runExpiry));
        localValues = cache.remote() ? null : new LocalValues(region);
        blocks = localValues == null ? null : new BlockIndex(localValues);
    }

    private void admit(Object key, int length, Consumer<OpenRegion> runExpiry) {
        WriteAllowance bounded = allowance;
        if (bounded != null) {
            int growth = growth(key, length);
            while (!bounded.take(growth)) {
                runExpiry.accept(this);
            }
        }
    }

    /**
     * Returns the bytes by which a put of a block increases the size of the region: less than its own if it replaces a
     * shorter one.
     *
     * @param length of the block in bytes
     */
    public int growth(Object key, int length) {
        byte[] before = values().read(key);
        return before == null ? StoredBlock.size(length) : Math.max(0, length - before.length);
    }

    /** Returns the definition in this process's configuration, with which it writes. */
    public RegionDefinition configured() {
        return configured;
    }

    /** Returns the definition that the region was last read with, whether or not the region is available. */
    public RegionDefinition definition() {
        return version.definition();
    }

    /** As {@link #definition}, but looks up whether another version is in use by now if that needs no server. */
    public RegionDefinition latest() {
        if (localValues != null) {
            renew();
        }
        return definition();
    }

    /** Asks again which definition is in use, and keeps the last one if the region is not available. */
    public void renew() {
        discardVersion();
        try {
            var _ = current();
        } catch (StoreException e) {
            LOG.debug("The definition in use is not known: region={} reason={}", configured.name(), e.getMessage());
        }
    }

    /** Returns Geode's region. */
    public Region<Object, byte[]> region() {
        return region;
    }

    /**
     * Prepares this region to be read with the definition that is now in use, and returns it.
     *
     * @throws StoreException if the region is not available, or has a definition that is not a version of the
     *     configured one
     */
    @SuppressWarnings("ReferenceEquality") // the same object while nothing changes
    public OpenRegion current() {
        RegionDefinition now = inUse.toRead();
        if (now != version.definition()) {
            version = Version.of(now);
        }
        return this;
    }

    /** Has the next call of {@link #current} ask again which definition is in use, because reading failed. */
    public void discardVersion() {
        inUse.discard();
    }

    /**
     * Returns the configured definition with the earlier versions of its schema, before anything is written to the
     * region.
     *
     * @throws StoreException if the region is not available with this definition
     */
    public RegionDefinition toWrite() {
        return inUse.toWrite();
    }

    /** Returns all values of the region, on all members. */
    public RegionValues all() {
        return values;
    }

    /**
     * Returns the record of an entry of the region, as one of the newest version of the schema; allocates it.
     *
     * @throws io.millrace.store.error.CorruptDataException if the entry is corrupt
     * @throws StoreException if it has the length of no version
     */
    public byte[] record(Object key, byte[] entry) {
        EntryVersions entries = version.entries();
        byte[] newest = entries.newestIfKnown(key, entry);
        if (newest == null) {
            discardVersion(); // it may be of a version that this process has not seen yet
            entries = current().version.entries();
            newest = entries.newest(key, entry);
        }
        return entries.record(newest);
    }

    /**
     * Returns whether an entry is older than the stored one of its key by the {@linkplain RegionDefinition#latest()
     * latest} field of the region; false if it has none.
     *
     * @throws io.millrace.store.error.CorruptDataException if the stored entry is corrupt
     * @throws StoreException if the other one is corrupt, one of them is of no known version, or the region is not
     *     available
     */
    public boolean isOlder(Object key, byte[] next, byte[] stored) {
        LatestField latest = current().version.latest();
        return latest != null && latest.isOlder(key, next, stored);
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

    /**
     * Removes an expired entry, unless it was stored again meanwhile, and returns whether it was removed.
     *
     * @param version returned by {@link LocalValues#version} when it had expired
     */
    public boolean expire(Object key, long version) {
        boolean removed = values.expire(key, version);
        expired.add(removed ? 1 : 0);
        return removed;
    }
}
