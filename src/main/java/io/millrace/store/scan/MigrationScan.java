package io.millrace.store.scan;

import io.millrace.codec.RecordBatch;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.block.BlockVersions;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.query.Migration;
import io.millrace.store.region.EntryVersions;
import io.millrace.store.region.RegionDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites values of earlier versions of a schema as values of the newest one. Each value is replaced only if it is
 * still the one that was read, and says itself which version it has: so a migration can be interrupted and repeated,
 * while records are written and removed. Not thread-safe.
 */
public final class MigrationScan implements ValueScan {

    private final RegionDefinition region;
    private final BlockVersions versions;
    private final EntryVersions entryVersions;
    private final Replacement replacement;
    /** Reads whole records, not columns: those next to records contain only some of the fields. */
    private final StoredBatch stored;

    private long values;
    private long rewritten;
    private long unreadable;

    /** Replaces values of a region. */
    @FunctionalInterface
    public interface Replacement {

        /**
         * Replaces a value, unless it has changed, and returns whether it did.
         *
         * @throws io.millrace.store.error.StoreException if the region does not answer
         */
        boolean replace(Object key, byte[] before, byte[] after);
    }

    public MigrationScan(RegionDefinition region, Replacement replacement) {
        this.region = region;
        this.versions = BlockVersions.of(region);
        this.entryVersions = EntryVersions.of(region);
        this.replacement = replacement;
        this.stored = region.schema().layout().variesInLength()
                ? new VariedBatch(region.schema())
                : new RowBatch(region.schema());
    }

    @Override
    public boolean wanted() {
        return true;
    }

    @Override
    public boolean full() {
        return false;
    }

    @Override
    public void block(long key, byte[] value, BlockChecks checks) {
        values++;
        Block block = versions.peek(value, checks.of(key, value));
        if (versions.isNewest(block)) {
            return;
        }
        byte[] next = versions.relabelled(block);
        if (next == null) {
            next = reencoded(block);
        }
        if (next == null) {
            unreadable++;
        } else {
            replace(key, value, next);
        }
    }

    /** Returns the block in the encoding of the region; null if some of its records are invalid. */
    private byte @Nullable [] reencoded(Block block) {
        stored.show(versions.newest(block), (_, _, _) -> {});
        RecordBatch batch = stored.batch();
        if (batch.selected() < block.count()) {
            return null;
        }
        BlockWriter writer = BlockWriter.ofWhole(region, batch);
        writer.append(batch, 0);
        return writer.seal(block.from(), block.to());
    }

    @Override
    public void entry(Object key, byte[] value) {
        values++;
        if (!entryVersions.isNewest(value)) {
            replace(key, value, entryVersions.rewritten(key, value));
        }
    }

    private void replace(Object key, byte[] before, byte[] after) {
        if (replacement.replace(key, before, after)) {
            rewritten++;
        }
    }

    @Override
    public void flush() {
        // Each value is rewritten at once.
    }

    /** Returns what was done in this part. */
    public Migration part() {
        return new Migration(values, rewritten, unreadable, false);
    }
}
