package io.millrace.store.geode;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.store.Block;
import io.millrace.store.BlockKey;
import io.millrace.store.BlockWriter;
import io.millrace.store.RegionDefinition;
import io.millrace.store.RegionWriter;
import io.millrace.store.WriterCounters;
import java.util.concurrent.Executor;

/**
 * Writes blocks. Each says which stretch of the feed it covers, and the next goes on where it ends: data and position
 * are one value, so a crash cannot part them.
 *
 * <p>Where only the position advanced (all records went elsewhere), a persistent region gets a block of no records
 * under the <em>next</em> sequence number; the next real block overwrites it.
 */
final class BlockRegionWriter implements RegionWriter {

    private final OpenRegion target;
    private final BlockWriter block;
    private final BatchCursor cursor;
    private final WriterCounters counters = new WriterCounters();
    private final Counter covered = new Counter();
    private final PutsInFlight puts;
    /** Key of the block being built. */
    private long key;
    /** Where that block's stretch of the feed begins, and how far it reaches so far. */
    private long from;

    private long reached;
    /** Whether the region has ever been told of a position. */
    private boolean positioned;

    private boolean open;

    /**
     * @param records schema of the batches
     * @param executor that makes the puts
     * @param inFlight how many may be under way at a time, at most {@link BlockKey#MAX_IN_FLIGHT}
     */
    BlockRegionWriter(
            OpenRegion target, String pipeline, int partition, Schema records, Executor executor, int inFlight) {
        this.target = target;
        puts = new PutsInFlight(target, executor, inFlight, counters, covered);
        RegionDefinition definition = target.definition();
        block = BlockWriter.of(definition, records);
        key = BlockKey.first(pipeline, partition);
        cursor = new BatchCursor(definition.name(), definition.schema(), records, counters);
    }

    @Override
    public void open() {
        if (!open) {
            target.requireThere();
            readBack();
            reached = Math.max(from, covered.get());
            positioned = reached > 0;
            cursor.storedBefore(covered.get());
            open = true;
        }
    }

    /** Goes on behind the last block that is stored, or in its place if it holds no records. */
    private void readBack() {
        EarlierBlocks earlier = EarlierBlocks.find(target, key);
        Block last = earlier.last();
        if (last != null) {
            covered.set(Math.max(0, last.to()));
            key = last.count() == 0 ? earlier.lastKey() : earlier.lastKey() + 1;
            from = Math.max(0, last.count() == 0 ? last.from() : last.to());
        }
    }

    @Override
    public long covered() {
        return covered.get();
    }

    @Override
    public void append(RecordBatch batch) {
        open();
        int index = cursor.begin(batch);
        puts.settle();
        if (block.full()) {
            putBlock();
        }
        while (index < batch.selected()) {
            int end = block.append(batch, index);
            if (end > index) {
                advance(batch.positionAfter(batch.selection()[end - 1]));
                cursor.taken(end);
                index = end;
            }
            if (block.full()) {
                putBlock();
            }
        }
        cursor.end();
        counters.pending().set(pending());
    }

    @Override
    public void coverUpTo(long position) {
        cursor.requireEnded();
        advance(position);
    }

    /** Records without a position, which anyone may send beside the feed, leave the feed's position as it is. */
    private void advance(long position) {
        reached = Math.max(reached, position);
        positioned |= position != RecordBatch.NO_POSITION;
    }

    @Override
    public void flush() {
        open();
        if (block.count() > 0) {
            putBlock();
        }
        try {
            puts.awaitAll();
        } finally {
            counters.pending().set(pending());
        }
        if (reached > covered.get()) {
            if (target.definition().persistent()) {
                byte[] empty = block.seal(from, reached);
                counters.count(1, empty.length, target.put(key, empty));
            }
            covered.set(reached);
        }
    }

    private void putBlock() {
        counters.pending().set(pending());
        puts.awaitRoom();
        byte[] sealed =
                positioned ? block.seal(from, reached) : block.seal(RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        int records = block.count();
        block.clear();
        from = reached;
        puts.put(key++, sealed, records, reached);
        counters.pending().set(pending());
    }

    private long pending() {
        return (long) block.count() + puts.records();
    }

    @Override
    public WriterCounters counters() {
        return counters;
    }
}
