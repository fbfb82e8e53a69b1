package io.millrace.store.write;

import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.store.region.Regions;

/**
 * Writing to the open regions of a store: the terms of writers, the writers themselves, and their commits. Thread-safe;
 * the writers it returns are not.
 */
public interface RegionWriters extends Regions, Participation {

    /**
     * Claims the right to write under a name, with all its parts. If the process runs alone, the claim always succeeds:
     * a data folder belongs to one process. In a cluster it succeeds if no process holds the name, or its owner has
     * shown no sign of life for the configured time; the owner's writes are refused from then on.
     *
     * @param writer to claim, as a whole
     * @param persistent whether one of the regions that it writes to is persistent
     * @throws io.millrace.store.error.StoreException if the store does not answer: call again
     */
    Claim claim(WriterName writer, boolean persistent);

    /**
     * Ends a term, so that another process may begin one immediately; does nothing if the term has already ended.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    void release(Term term);

    /**
     * Requires that a term has not ended by the loss of this process' stored data, for pipelines that write nothing for
     * a while. A claim of the writer by another process is detected by the next write, or by {@link #requireCurrent}.
     *
     * @throws io.millrace.store.error.StoreReopenedException if the store was reopened since the claim
     * @throws io.millrace.store.error.StoreException if the store is closed: call again
     */
    default void requireTerm(Term term) {}

    /**
     * Requires that a term is still the current one of its writer, for pipelines that write nothing for a while. After
     * a claim by another process, the regions may lack records that this one has stored, which the other one was to
     * read again.
     *
     * @throws io.millrace.store.error.SupersededException if another process has claimed the writer since
     * @throws io.millrace.store.error.StoreReopenedException if the writer is unknown, because all servers have
     *     restarted and have lost what it has stored in memory
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    default void requireCurrent(Term term) {}

    /**
     * Returns the commits of pipelines.
     *
     * @param persistent whether to return those that are stored on disk, or those of regions in memory
     */
    Commits commits(boolean persistent);

    /**
     * Returns the versions of the tables that pipelines use.
     *
     * @param persistent whether to return those that are stored on disk, or those of pipelines whose regions are all in
     *     memory
     */
    TableVersions tableVersions(boolean persistent);

    /**
     * Returns a writer to a region, to be {@linkplain RegionWriter#open opened}; there may be one of a name at a time.
     *
     * @param records schema of the batches that it receives
     * @param rejects receives records whose key can't be read, or for which the region's condition to remove has no
     *     result; called in {@link RegionWriter#append}
     * @throws IllegalArgumentException if batches of this schema do not contain what the region stores
     * @throws io.millrace.expression.error.ExpressionException if the region's condition to remove can't be evaluated
     *     on them
     */
    RegionWriter writer(String region, WriterName writer, Schema records, RejectSink rejects);
}
