package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.store.region.RegionDefinition;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the blocks of a region as blocks of the newest version of its schema, whatever version they were written with.
 * Blocks of the newest version are read in place. Thread-safe.
 */
public final class BlockVersions {

    private final Schema newest;
    private final List<SchemaDescription> history;
    /** Upgrades by fingerprint, created for the first block that needs one. */
    private final Map<Long, BlockUpgrade> upgrades = new ConcurrentHashMap<>();

    /**
     * @param newest schema to read records with; if they vary in length, with any fields in its row
     * @param history earlier versions, oldest first
     */
    private BlockVersions(Schema newest, List<SchemaDescription> history) {
        this.newest = newest;
        this.history = history;
    }

    /** Returns what reads the blocks of a region. */
    public static BlockVersions of(RegionDefinition region) {
        return of(region, region.schema());
    }

    /**
     * Returns what reads the blocks of a region.
     *
     * @param schema of the region; if records vary in length, with any fields in its row
     */
    public static BlockVersions of(RegionDefinition region, Schema schema) {
        return new BlockVersions(schema, region.history());
    }

    /**
     * Checks the header of a value, as {@link Block#peek}, and returns a block of the version that it was written with.
     *
     * @throws BlockFormatException naming the error, also if no version of the schema has its fingerprint
     */
    public Block peek(byte[] bytes, BlockChecks.Mark checks) {
        BlockUpgrade upgrade = upgrade(bytes);
        return upgrade == null ? Block.peek(bytes, newest, checks) : upgrade.peek(bytes, checks);
    }

    /** As {@link Block#open}, with the version of the schema that the value was written with. */
    public Block open(byte[] bytes) {
        BlockUpgrade upgrade = upgrade(bytes);
        return Block.open(bytes, upgrade == null ? newest : upgrade.version());
    }

    /** Returns whether the ranges of a block's header apply to a field of the newest version. */
    public boolean hasRangeOf(Block block, String field) {
        BlockUpgrade upgrade = upgrade(block.bytes());
        return upgrade == null || upgrade.retains(field);
    }

    /** Returns whether a block is of the newest version: nothing in it needs to be rewritten. */
    public boolean isNewest(Block block) {
        return block.fingerprint() == newest.fingerprint();
    }

    /**
     * Returns the block as one of the newest version: the same, or a rewritten one without ranges and columns.
     *
     * @throws BlockFormatException if its records are corrupt
     */
    public Block newest(Block block) {
        BlockUpgrade upgrade = upgrade(block.bytes());
        return upgrade == null ? block : upgrade.newest(block);
    }

    /**
     * Returns a copy of a block of an earlier version as one of the newest, if only its header differs: the records of
     * the fixed layout are the same bytes. Null if they are not.
     */
    public byte @Nullable [] relabelled(Block block) {
        BlockUpgrade upgrade = upgrade(block.bytes());
        return upgrade == null ? null : upgrade.relabelled(block);
    }

    private @Nullable BlockUpgrade upgrade(byte[] bytes) {
        if (history.isEmpty() || bytes.length < BlockFormat.FIRST_HEADER_LENGTH) {
            return null;
        }
        long fingerprint = RawBytes.getLong(bytes, BlockFormat.FINGERPRINT_AT);
        return fingerprint == newest.fingerprint() ? null : upgrades.computeIfAbsent(fingerprint, this::create);
    }

    /** Returns null for a fingerprint of no version, which the check of the header reports. */
    private @Nullable BlockUpgrade create(long fingerprint) {
        String hex = HexFormat.of().toHexDigits(fingerprint);
        for (int i = history.size() - 1; i >= 0; i--) {
            if (history.get(i).fingerprint().equals(hex)) {
                return BlockUpgrade.of(history.subList(i, history.size()), newest);
            }
        }
        return null;
    }
}
