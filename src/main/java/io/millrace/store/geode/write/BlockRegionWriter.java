package io.millrace.store.geode.write;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.geode.region.Values;
import io.millrace.store.region.BlockKey;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.Checkpoint;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterCounters;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Writes blocks. Each block records the range of the feed that it covers, and the next one begins where it ends: data
 * and position are one value, so a crash cannot separate them. Positions that only advanced, because all records were
 * dropped or routed elsewhere, are part of the next block's range; until then only the
 * {@link io.millrace.store.write.Commit} contains them.
 *
 * <p>A flush stores a block before it is full. If the block is shorter than {@value #MIN_BLOCK_BYTES} bytes, later
 * records extend it: the next put replaces it by one with the same records and these, under the same key. So each
 * record has its place from its first put on, a put stores all of its records or none, and a feed that is flushed after
 * each record makes no block for each flush. A block is never extended after one of its puts has failed, because such a
 * put may still arrive and would replace the longer block by a shorter one.
 */
public final class BlockRegionWriter implements RegionWriter {

    /**
     * Length in bytes from which on a flushed block is not extended. Geode's memory for a value of this length is small
     * compared to it, and so is the time of a put compared to the overhead of each put.
     */
    static final int MIN_BLOCK_BYTES = 16 << 10;

    private final Target target;
    private final ToIntFunction<Term> numbers;
    private BlockWriter block;
    private final Checkpoint checkpoint;
    private final WriterCounters counters = new WriterCounters();
    private final PutsInFlight puts;
    /** Key of the provisional block, whose records the feed delivers again. */
    private long provisional;
    /** Key of the block being built. */
    private long key;
    /** Records of that block that were put already. */
    private int putRecords;
    /** End of that block's range of the feed at its last put. */
    private long putPosition;
    /** Position from which on the next term discards blocks. */
    private long discardFrom = Long.MAX_VALUE;
    /** Start of that block's range of the feed; its end is the position that was reached. */
    private long startPosition;

    /**
     * The region to write to.
     *
     * @param values of the region
     * @param definition of the region
     * @param toWrite returns the definition with the earlier versions of its schema, or throws a
     *     {@link io.millrace.store.error.StoreException} if the region is not available with this definition
     * @param shared whether other processes write to it too
     */
    public record Target(
            Values values, RegionDefinition definition, Supplier<RegionDefinition> toWrite, boolean shared) {}

    /**
     * @param numbers returns the number of the writer in a term
     * @param records schema of the batches
     * @param executor that runs the puts
     * @param inFlight maximum number of puts in flight, at most {@link BlockKey#MAX_IN_FLIGHT}
     */
    public BlockRegionWriter(
            Target target, ToIntFunction<Term> numbers, Schema records, PutExecutor executor, int inFlight) {
        this.target = target;
        this.numbers = numbers;
        RegionDefinition definition = target.definition();
        block = BlockWriter.of(definition, records);
        checkpoint = new Checkpoint(definition.name(), definition.schema(), records, counters);
        puts = new PutsInFlight(target.values(), executor, inFlight, counters, checkpoint.covered());
    }

    @Override
    public void open(Term begun, long committed) {
        checkpoint.endTerm();
        puts.abandon();
        block.clear();
        putRecords = 0;
        counters.pending().set(0);
        RegionDefinition stored = target.toWrite().get();
        int number = numbers.applyAsInt(begun);
        provisional = BlockKey.provisional(number);
        removeProvisional(begun);
        BlockChain chain = BlockChain.recover(
                target.values(), stored, BlockKey.first(number), begun, target.shared(), committed, discardFrom);
        key = chain.next();
        startPosition = chain.to();
        checkpoint.begin(begun, Math.max(startPosition, committed));
    }

    @Override
    public void discardFrom(long position) {
        discardFrom = position;
    }

    /**
     * Removes the provisional block of an earlier term. If other processes write to the region, a put of it may still
     * be in progress: it ends before the empty block is put under its key, or is refused.
     */
    private void removeProvisional(Term begun) {
        Values values = target.values();
        if (target.shared()) {
            values.putIfAbsent(provisional, empty(), begun);
        }
        if (target.shared() || values.get(provisional) != null) {
            values.removeAll(List.of(provisional), begun);
        }
    }

    private byte[] empty() {
        return BlockWriter.of(target.definition(), target.definition().schema())
                .seal(RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
    }

    @Override
    public long covered() {
        return checkpoint.covered().get();
    }

    @Override
    public void append(RecordBatch batch) {
        Term current = checkpoint.term();
        int index = checkpoint.begin(batch);
        puts.settle();
        if (putRecords > 0 && (puts.records() > 0 || puts.isRetried(key))) {
            endBlock();
        }
        if (block.full()) {
            putBlock(current);
        }
        while (index < batch.selected()) {
            int end = block.append(batch, index);
            if (end > index) {
                checkpoint.reach(batch.positionAfter(batch.selection()[end - 1]));
                checkpoint.taken(end);
                index = end;
            }
            if (block.full()) {
                putBlock(current);
            }
        }
        checkpoint.end();
        counters.pending().set(pending());
    }

    @Override
    public void advance(long position) {
        checkpoint.advance(position);
    }

    @Override
    public void flush() {
        Term current = checkpoint.term();
        if (block.count() > putRecords) {
            putBlock(current);
        }
        try {
            puts.awaitAll();
        } finally {
            counters.pending().set(pending());
        }
        if (puts.isRetried(key)) {
            endBlock();
        }
        checkpoint.stored();
    }

    @Override
    public void endBlock() {
        if (block.count() > putRecords) {
            throw new IllegalStateException("The block of region '"
                    + target.definition().name() + "' has records that are not stored. Flush the writer first.");
        }
        beginBlock();
    }

    /** Begins a new block unless none of the records of the current one was put. */
    private void beginBlock() {
        if (putRecords > 0) {
            block.clear();
            putRecords = 0;
            startPosition = putPosition;
            key++;
        }
    }

    @Override
    public boolean atBlockEnd() {
        return block.count() == 0;
    }

    private void putBlock(Term current) {
        counters.pending().set(pending());
        puts.awaitRoom();
        long endPosition = checkpoint.reached();
        byte[] sealed = checkpoint.positioned()
                ? block.seal(startPosition, endPosition)
                : block.seal(RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        long blockKey = key;
        int records = block.count() - putRecords;
        putRecords = block.count();
        putPosition = endPosition;
        if (block.full() || sealed.length >= MIN_BLOCK_BYTES) {
            endBlock();
        }
        puts.put(blockKey, sealed, records, endPosition, current);
        counters.pending().set(pending());
    }

    @Override
    public void putProvisional(RecordBatch batch) {
        BlockWriter records = BlockWriter.of(target.definition(), batch.schema());
        records.append(batch, 0);
        target.values()
                .put(provisional, records.seal(RecordBatch.NO_POSITION, RecordBatch.NO_POSITION), checkpoint.term());
    }

    private long pending() {
        return (long) block.count() - putRecords + puts.records();
    }

    @Override
    public Runnable prepare(Schema records) {
        checkpoint.requireStorable(records);
        BlockWriter next = BlockWriter.of(target.definition(), records);
        return () -> {
            beginBlock();
            checkpoint.expect(records);
            block = next;
        };
    }

    @Override
    public WriterCounters counters() {
        return counters;
    }
}
