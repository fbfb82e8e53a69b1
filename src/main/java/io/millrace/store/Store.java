package io.millrace.store;

import io.millrace.codec.RejectSink;

/** Regions of records, open for writing and reading. Thread-safe; the writers it gives are not. */
public interface Store extends AutoCloseable {

    /**
     * Opens a region, with all that it holds on disk.
     *
     * @throws StoreException where it is open already, or holds records of another schema
     */
    void open(RegionDefinition definition);

    /**
     * Opens a dead-letter region.
     *
     * @param copies how many more members keep each reject
     */
    void openRejects(String region, int copies, boolean persistent);

    /**
     * A writer for one partition of a pipeline; there may be one at a time.
     *
     * @param rejects receives records whose key cannot be read; asked in {@link RegionWriter#append}
     * @throws StoreException where another pipeline of the same {@linkplain BlockKey hash} writes to this region, or
     *     the last block stored is damaged
     */
    RegionWriter writer(String region, String pipeline, int partition, RejectSink rejects);

    /** A writer of rejects for one partition of a pipeline; there may be one at a time. */
    RejectWriter rejectWriter(String region, String pipeline, int partition);

    @Override
    void close();
}
