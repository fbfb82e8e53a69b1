package io.millrace.store.geode.write;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.geode.region.Values;
import io.millrace.store.region.BlockKey;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.Checkpoint;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mutant: the writer of blocks with a fault that it once had. A position that only advanced is put as an empty block
 * under the next key, and a restart looks only whether keys are there. Where the block that was to take the empty one's
 * place never arrives, its records are lost.
 */
public final class HollowBlockWriter implements RegionWriter {

    private final Values target;
    private final RegionDefinition definition;
    private BlockWriter block;
    private final Checkpoint checkpoint;
    private final WriterCounters counters = new WriterCounters();
    private final Counter covered = new Counter();
    private final PutsInFlight puts;
    private final long first;
    private @Nullable Term term;
    private long key;
    private long from;
    private long reached;

    public HollowBlockWriter(
            Values target, RegionDefinition definition, Schema records, PutExecutor executor, int limit, long first) {
        this.target = target;
        this.definition = definition;
        this.first = first;
        puts = new PutsInFlight(target, executor, limit, counters, covered);
        block = BlockWriter.of(definition, records);
        checkpoint = new Checkpoint(definition.name(), definition.schema(), records, counters);
    }

    @Override
    public void open(Term begun, long committed) {
        puts.abandon();
        block.clear();
        key = first;
        from = 0;
        covered.set(0);
        Set<Object> keys = target.keys();
        long newest = first - 1;
        for (Object stored : keys) {
            if (BlockKey.sameWriter((Long) stored, first)) {
                newest = Math.max(newest, (Long) stored);
            }
        }
        if (newest >= first) {
            long missing = Math.max(first, newest - BlockKey.MAX_IN_FLIGHT + 1);
            while (missing <= newest && keys.contains(missing)) {
                missing++;
            }
            List<Long> behind = new ArrayList<>();
            for (long gone = missing + 1; gone <= newest && gone > missing; gone++) {
                behind.add(gone);
            }
            target.removeAll(behind, begun);
            if (missing > first) {
                goOnBehind(missing - 1);
            }
        }
        reached = Math.max(from, covered.get());
        checkpoint.begin(begun, covered.get());
        term = begun;
    }

    private void goOnBehind(long last) {
        Block block = Block.open(Objects.requireNonNull(target.get(last)), definition.schema());
        covered.set(Math.max(0, block.to()));
        key = block.count() == 0 ? last : last + 1;
        from = Math.max(0, block.count() == 0 ? block.from() : block.to());
    }

    @Override
    public long covered() {
        return covered.get();
    }

    @Override
    public void append(RecordBatch batch) {
        int index = checkpoint.begin(batch);
        puts.settle();
        if (block.full()) {
            putBlock();
        }
        while (index < batch.selected()) {
            int end = block.append(batch, index);
            if (end > index) {
                reached = Math.max(reached, batch.positionAfter(batch.selection()[end - 1]));
                checkpoint.taken(end);
                index = end;
            }
            if (block.full()) {
                putBlock();
            }
        }
        checkpoint.end();
    }

    @Override
    public void advance(long position) {
        checkpoint.advance(position);
        reached = Math.max(reached, position);
    }

    @Override
    public void flush() {
        if (block.count() > 0) {
            putBlock();
        }
        puts.awaitAll();
        if (reached > covered.get()) {
            target.put(key, block.seal(from, reached), Objects.requireNonNull(term));
            covered.set(reached);
        }
    }

    private void putBlock() {
        puts.awaitRoom();
        byte[] sealed = block.seal(from, reached);
        int records = block.count();
        block.clear();
        from = reached;
        puts.put(key++, sealed, records, reached, Objects.requireNonNull(term));
    }

    @Override
    public void putProvisional(RecordBatch batch) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Runnable prepare(Schema records) {
        BlockWriter next = BlockWriter.of(definition, records);
        return () -> {
            checkpoint.expect(records);
            block = next;
        };
    }

    @Override
    public WriterCounters counters() {
        return counters;
    }
}
