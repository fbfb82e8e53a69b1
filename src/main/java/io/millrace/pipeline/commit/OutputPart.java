package io.millrace.pipeline.commit;

import io.millrace.codec.RecordBatch;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.Target;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * A part of a pipeline's output that has a position of its own: the writer of a region, or a measure. Operations of the
 * store are retried. Not thread-safe.
 */
public sealed interface OutputPart {

    /**
     * Begins a term.
     *
     * @param committed returns the position of a writer in the last commit, by the name of the writer
     */
    void open(Term term, ToLongFunction<String> committed);

    /** As {@link RegionWriter#discardFrom}. */
    default void discardFrom(long position) {}

    /** Returns the position up to which the part is stored. */
    long covered();

    /** Returns the position up to which the part may contain something, at least {@link #covered()}. */
    default long storedUpTo() {
        return covered();
    }

    /** Marks everything before a position as passed to this part. */
    void advance(long position);

    /**
     * Stores everything that is pending.
     *
     * @param last whether no more records follow
     */
    void flush(boolean last);

    /** As {@link RegionWriter#endBlock}. */
    void endBlock();

    /** Ends a term. */
    default void close() {}

    /** Returns whether the part has everything before a position and nothing else, and its blocks end there. */
    default boolean isAlignedAt(long position) {
        return true;
    }

    /** Adds the positions that are part of commits, by the names of writers. */
    void addPositions(Map<String, Long> positions);

    /**
     * The records of a region or an output.
     *
     * @param region the target
     */
    record Records(String region, RegionWriter writer, Retry retry) implements OutputPart {

        boolean isOutput() {
            return region.startsWith(Target.OUTPUT_PREFIX);
        }

        @Override
        public void discardFrom(long position) {
            writer.discardFrom(position);
        }

        @Override
        public void open(Term term, ToLongFunction<String> committed) {
            long position = committed.applyAsLong(region);
            retry.run(() -> writer.open(term, position));
        }

        @Override
        public long covered() {
            return writer.covered();
        }

        @Override
        public long storedUpTo() {
            return writer.storedUpTo();
        }

        @Override
        public void advance(long position) {
            writer.advance(position);
        }

        @Override
        public void flush(boolean last) {
            retry.run(writer::flush);
        }

        @Override
        public void endBlock() {
            writer.endBlock();
        }

        @Override
        public boolean isAlignedAt(long position) {
            return writer.atBlockEnd() && covered() == position;
        }

        @Override
        public void addPositions(Map<String, Long> positions) {
            positions.put(region, covered());
        }

        @Override
        public void close() {
            writer.close();
        }
    }

    /**
     * The rejects of a pipeline.
     *
     * @param held rejects that have not been passed to the writer yet
     */
    record Rejects(Records records, RejectBatch held) implements OutputPart {

        @Override
        public void discardFrom(long position) {
            records.discardFrom(position);
        }

        @Override
        public void open(Term term, ToLongFunction<String> committed) {
            records.open(term, committed);
        }

        @Override
        public long covered() {
            return records.covered();
        }

        @Override
        public void advance(long position) {
            records.advance(position);
        }

        /** At the end, also stores the rejects that the feed delivers again. */
        @Override
        public void flush(boolean last) {
            records.flush(last);
            RecordBatch uncovered = last ? held.uncovered() : null;
            if (uncovered != null && uncovered.count() > 0) {
                records.retry().run(() -> records.writer().putProvisional(uncovered));
            }
        }

        @Override
        public void endBlock() {
            records.endBlock();
        }

        @Override
        public boolean isAlignedAt(long position) {
            return records.isAlignedAt(position);
        }

        @Override
        public void addPositions(Map<String, Long> positions) {
            records.addPositions(positions);
        }
    }

    /** The rows, alerts and state of a measure. The state itself has the position. */
    record Measured(MeasureProcessor measure, Retry retry) implements OutputPart {

        @Override
        public void open(Term term, ToLongFunction<String> committed) {
            retry.run(() -> measure.open(term, committed));
        }

        @Override
        public long covered() {
            return measure.covered();
        }

        @Override
        public void advance(long position) {
            measure.advance(position);
        }

        @Override
        public void addPositions(Map<String, Long> positions) {
            measure.addPositions(positions);
        }

        @Override
        public void flush(boolean last) {
            retry.run(() -> measure.flush(last));
        }

        @Override
        public void endBlock() {
            measure.endBlocks();
        }

        @Override
        public void close() {
            measure.close();
        }
    }
}
