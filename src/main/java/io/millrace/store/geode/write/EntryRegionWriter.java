package io.millrace.store.geode.write;

import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.store.query.LatestField;
import io.millrace.store.query.NoResultException;
import io.millrace.store.region.EntryKey;
import io.millrace.store.region.EntryVersions;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.StoredForm;
import io.millrace.store.region.StoredForms;
import io.millrace.store.write.Checkpoint;
import io.millrace.store.write.Commits;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Removals;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterCounters;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as entries in chunks. Of two records with the same key the later one wins, in a chunk as in the
 * region, or with a {@linkplain RegionDefinition#latest() latest} field the one that is later by it; a record that
 * {@linkplain Removals removes} deletes the entry that exists at that time. The position up to which the feed is
 * covered is stored by a {@link io.millrace.store.write.Commit} after the records before it, so a replay from there
 * writes some records again and ends with the same entries. Other rules might not write them again, so the position up
 * to which records may be stored is stored before them.
 */
public final class EntryRegionWriter implements RegionWriter {

    private final Supplier<RegionDefinition> toWrite;
    private final RejectSink rejects;
    private final RegionDefinition definition;
    private final Function<Schema, @Nullable Removals> compiler;
    private final StoredForm form;
    private EntryVersions versions;
    private @Nullable LatestField latest;
    private EntryKey keys;
    private @Nullable Removals removals;
    private final Checkpoint checkpoint;
    private final WriterCounters counters = new WriterCounters();
    private final EntryChunk chunk;
    private final Function<Term, Commits> commits;
    /** End of the last batch whose records were taken. */
    private long taken;

    private long storedUpTo;

    /**
     * @param records schema of the batches
     * @param commits returns where a term stores how far it is ahead of its commit
     * @param removals compiles what selects the records of batches that remove entries, null if none do
     */
    public EntryRegionWriter(
            BlockRegionWriter.Target target,
            Function<Term, Commits> commits,
            Schema records,
            Function<Schema, @Nullable Removals> removals,
            RejectSink rejects) {
        this.definition = target.definition();
        this.toWrite = target.toWrite();
        this.commits = commits;
        this.compiler = removals;
        this.removals = removals.apply(records);
        this.rejects = rejects;
        form = StoredForms.of(definition.schema());
        keys = keys(records);
        chunk = new EntryChunk(target.values(), counters);
        versions = use(definition);
        checkpoint = new Checkpoint(definition.name(), definition.schema(), records, counters);
    }

    private EntryVersions use(RegionDefinition current) {
        EntryVersions next = EntryVersions.of(current);
        latest = LatestField.of(current, next);
        chunk.order(latest);
        return next;
    }

    private EntryKey keys(Schema records) {
        return EntryKey.of(form.rows(definition.schema(), records), definition.keyFields());
    }

    @Override
    public void open(Term begun, long committed) {
        checkpoint.endTerm();
        chunk.clear();
        versions = use(toWrite.get());
        long ahead = commits.apply(begun).storedUpTo(begun.writer(), definition.name());
        taken = 0;
        storedUpTo = Math.max(committed, ahead);
        checkpoint.begin(begun, committed);
    }

    @Override
    public long covered() {
        return checkpoint.covered().get();
    }

    @Override
    public long storedUpTo() {
        return Math.max(storedUpTo, covered());
    }

    private void store(Term current) {
        if (taken > storedUpTo) {
            commits.apply(current).setStoredUpTo(current, definition.name(), taken);
            storedUpTo = taken;
        }
        chunk.store(current);
    }

    @Override
    public void append(RecordBatch batch) {
        Term current = checkpoint.term();
        boolean resumed = checkpoint.resumes(batch);
        int index = checkpoint.begin(batch);
        if (removals != null && !resumed) {
            // Once per batch, so that a record for which the condition has no result is rejected once.
            removals.evaluate(batch, index, rejects);
        }
        if (chunk.full()) {
            store(current);
        }
        if (index < batch.selected()) {
            taken = Math.max(taken, batch.to());
        }
        while (index < batch.selected()) {
            take(batch, batch.selection()[index]);
            checkpoint.taken(++index);
            if (chunk.full()) {
                store(current);
            }
        }
        checkpoint.end();
        counters.pending().set(chunk.records());
    }

    private void take(RecordBatch batch, int ordinal) {
        if (removals != null && removals.rejected(ordinal)) {
            return;
        }
        byte[] value = form.copy(batch, ordinal, versions.trailerLength());
        try {
            Object key = keys.read(form.row(batch, value), form.rowAt(batch, ordinal));
            if (removals != null && removals.removes(ordinal)) {
                chunk.remove(key);
            } else {
                put(key, value);
            }
        } catch (FieldValueException | NoResultException e) {
            rejects.reject(
                    batch, ordinal, new RejectReason(RejectReason.Kind.INVALID_VALUE, String.valueOf(e.getMessage())));
        }
    }

    private void put(Object key, byte[] value) {
        if (latest != null) {
            latest.requireValue(value);
        }
        chunk.put(key, versions.complete(key, value));
    }

    @Override
    public void advance(long position) {
        checkpoint.advance(position);
    }

    @Override
    public void flush() {
        Term current = checkpoint.term();
        if (chunk.records() > 0) {
            store(current);
        }
        checkpoint.stored();
    }

    @Override
    public void putProvisional(RecordBatch batch) {
        throw new UnsupportedOperationException("Provisional records need the layout blocks.");
    }

    @Override
    public Runnable prepare(Schema records) {
        checkpoint.requireStorable(records);
        EntryKey nextKeys = keys(records);
        Removals nextRemovals = compiler.apply(records);
        return () -> {
            checkpoint.expect(records);
            keys = nextKeys;
            removals = nextRemovals;
        };
    }

    @Override
    public WriterCounters counters() {
        return counters;
    }
}
