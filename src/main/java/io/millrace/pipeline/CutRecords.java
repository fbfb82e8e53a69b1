package io.millrace.pipeline;

import io.millrace.codec.RecordBatch;
import io.millrace.store.RejectWriter;
import java.util.Collection;
import java.util.TreeSet;

/**
 * Removes the rejects of records that were cut off where the feed ended, when a restart brings them complete. Such a
 * record begins where a region or a measure of the pipeline continues, for its reject is stored after all their
 * positions. Not thread-safe.
 */
final class CutRecords {

    private final RejectWriter rejects;
    private final TreeSet<Long> positions;

    /** @param positions in the feed up to which the pipeline's regions and measures hold its records */
    CutRecords(RejectWriter rejects, Collection<Long> positions) {
        this.rejects = rejects;
        this.positions = new TreeSet<>(positions);
    }

    /**
     * Removes what is complete in a batch, before the batch is processed: a record that is then rejected for another
     * reason has the same key. What lies before the batch was cut off again, or is a piece of its own in the feed.
     *
     * @param from position of the batch
     * @param to position behind the batch, or {@link RecordBatch#NO_POSITION}
     * @throws io.millrace.store.StoreException where that fails: call again
     */
    void complete(long from, long to) {
        while (!positions.isEmpty() && positions.first() < to) {
            if (positions.first() >= from) {
                rejects.removeTruncated(positions.first());
            }
            positions.pollFirst();
        }
    }

    /** Whether {@link #complete} has anything to do. */
    boolean concerns(long to) {
        return !positions.isEmpty() && positions.first() < to;
    }
}
