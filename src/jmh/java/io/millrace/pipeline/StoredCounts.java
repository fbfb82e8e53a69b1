package io.millrace.pipeline;

import java.util.List;
import java.util.Objects;

/** The number of records that one partition of a pipeline has stored in one region. Any thread may read it. */
public final class StoredCounts {

    private final Partition partition;
    private final String region;

    private StoredCounts(Partition partition, String region) {
        this.partition = partition;
        this.region = region;
    }

    /** Returns the counts of all partitions. */
    public static List<StoredCounts> of(Pipeline pipeline, String region) {
        return pipeline.partitions().stream()
                .map(partition -> new StoredCounts(partition, region))
                .toList();
    }

    /** Returns the current number. */
    public long get() {
        return Objects.requireNonNull(partition.parts().assembler().writers().get(region))
                .counters()
                .kept()
                .get();
    }
}
