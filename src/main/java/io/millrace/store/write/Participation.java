package io.millrace.store.write;

import java.util.Optional;

/** Shows which processes run the partitions of pipelines. Thread-safe. */
public interface Participation {

    /**
     * Shows other processes whether this one takes part in running the partitions of a pipeline; it does not until it
     * is called. It is forgotten when the process ends.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    void participate(String pipeline, boolean participates);

    /**
     * Returns which processes run the partitions of a pipeline that all processes share; empty if this process runs
     * alone. To detect processes that have ended, it must be called several times, a fraction of the time apart after
     * which another process may claim their partitions.
     *
     * @param partitions number of partitions
     * @param persistent whether one of the regions of the pipeline is persistent
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    Optional<PartitionOwners> owners(String pipeline, int partitions, boolean persistent);
}
