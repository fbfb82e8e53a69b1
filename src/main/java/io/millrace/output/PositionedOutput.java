package io.millrace.output;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.codec.file.FileErrors;
import io.millrace.schema.Schema;
import io.millrace.store.error.StoreException;
import io.millrace.store.write.Checkpoint;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterCounters;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes records to an output that does not contain them yet, as a writer passes them to a region, so that a pipeline
 * commits, counts and retries both alike. Not thread-safe.
 */
public final class PositionedOutput implements RegionWriter {

    private static final Logger LOG = LoggerFactory.getLogger(PositionedOutput.class);

    private final String target;
    private final Schema schema;
    private final OutputWriter writer;
    private final WriterCounters counters = new WriterCounters();
    private final Checkpoint checkpoint;
    private RecordBatch rest;
    private long discardFrom = Long.MAX_VALUE;
    private long rejected;
    /** Whether records were rejected whose rejects may not be stored yet. */
    private boolean rejectedUnflushed;
    /** Whether records of a batch were appended, or some of them, whose end is not covered. */
    private boolean partial;

    /**
     * Creates the writer, which is not open.
     *
     * @param target name of the output as a target
     * @param output name of the output
     * @param schema schema of the batches
     * @param rejects receives records that the output can't hold
     */
    public PositionedOutput(
            String target,
            String output,
            OutputDefinition definition,
            WriterName name,
            Schema schema,
            RejectSink rejects) {
        this.target = target;
        this.schema = schema.stored();
        rest = new RecordBatch(schema);
        checkpoint = new Checkpoint(target, this.schema, schema, counters);
        RejectSink counting = (batch, ordinal, reason) -> {
            rejected++;
            rejects.reject(batch, ordinal, reason);
        };
        writer = definition.create(new OutputContext(
                output, name.pipeline(), name.instance(), name.partition(), name.part(), schema, counting));
    }

    @Override
    public void open(Term term, long committed) {
        checkpoint.endTerm();
        counters.pending().set(0);
        partial = false;
        rejectedUnflushed = false;
        long stored = attempt(() -> writer.open(term.epoch(), discardFrom));
        checkpoint.begin(term, Math.max(committed, stored));
    }

    @Override
    public void discardFrom(long position) {
        discardFrom = position;
    }

    @Override
    public long covered() {
        return checkpoint.covered().get();
    }

    /**
     * Before the batch, an output that is full is flushed. Not while it contains a part of the records before a
     * position, and not before the records that it has rejected: it would not receive them again after a crash.
     */
    @Override
    public void append(RecordBatch batch) {
        checkpoint.term();
        if (writer.isFull() && !partial && !rejectedUnflushed) {
            flush();
        }
        int index = checkpoint.begin(batch);
        int selected = batch.selected();
        rejected = 0;
        if (index < selected) {
            partial |= batch.to() != RecordBatch.NO_POSITION;
            RecordBatch next = index == 0 ? batch : from(index, batch);
            attempt(() -> {
                writer.append(next);
                return 0;
            });
        }
        rejectedUnflushed |= rejected > 0;
        checkpoint.end();
        counters.pending().add(selected - index - rejected);
    }

    private RecordBatch from(int index, RecordBatch batch) {
        int count = batch.selected() - index;
        System.arraycopy(batch.selection(), index, rest.share(batch).selection(), 0, count);
        rest.select(count);
        return rest;
    }

    @Override
    public void advance(long position) {
        checkpoint.advance(position);
        partial = false;
    }

    /**
     * Does nothing after a failure in the middle of a batch: its records would be stored with the position before them,
     * and be delivered again. The next {@link #open} discards them.
     */
    @Override
    public void flush() {
        checkpoint.term();
        if (partial) {
            return;
        }
        long start = System.nanoTime();
        attempt(() -> {
            writer.flush(Math.max(0, checkpoint.reached()));
            return 0;
        });
        long stored = counters.pending().get();
        if (stored > 0) {
            counters.count(1, 0, System.nanoTime() - start);
            counters.kept().add(stored);
            counters.pending().set(0);
        }
        rejectedUnflushed = false;
        checkpoint.stored();
    }

    @Override
    public void putProvisional(RecordBatch batch) {
        throw new UnsupportedOperationException("An output stores no provisional records.");
    }

    /**
     * Requires that the records have the fields of those that the output contains.
     *
     * @throws IllegalArgumentException if they do not
     */
    @Override
    public Runnable prepare(Schema records) {
        if (records.stored().fingerprint() != schema.fingerprint()) {
            throw new IllegalArgumentException("'" + target + "' contains records with other fields: '" + schema
                    + "', not '" + records.stored() + "'. Send these records to another output.");
        }
        return () -> {
            rest = new RecordBatch(records);
            checkpoint.expect(records);
        };
    }

    @Override
    public WriterCounters counters() {
        return counters;
    }

    @Override
    public void close() {
        checkpoint.endTerm();
        try {
            writer.close();
        } catch (IOException | RuntimeException e) {
            // Others have to be closed too. What was flushed is stored.
            LOG.warn("Could not close an output: output={}", target, e);
        }
    }

    /** An action of the output. */
    @FunctionalInterface
    private interface Action {
        long run() throws IOException;
    }

    private long attempt(Action action) {
        try {
            return action.run();
        } catch (IOException e) {
            throw new StoreException("Output '" + target + "' failed: " + FileErrors.describe("", e), e);
        }
    }
}
