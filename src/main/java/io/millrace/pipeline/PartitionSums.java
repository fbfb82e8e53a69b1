package io.millrace.pipeline;

import io.millrace.codec.Counter;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.WriterCounters;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Counters of a pipeline, which are the sums of those of its partitions. Thread-safe. */
final class PartitionSums {

    private final List<Partition> partitions;
    private final Map<String, Counter> sums = new ConcurrentHashMap<>();

    PartitionSums(List<Partition> partitions) {
        this.partitions = partitions;
    }

    /**
     * Returns the sum of a counter of each partition, always the same.
     *
     * @param name identifies the counter
     */
    Counter of(String name, Function<Partition, Counter> counter) {
        return sums.computeIfAbsent(
                name, _ -> Counter.sum(partitions.stream().map(counter).toList()));
    }

    /** Returns the sums of the counters of the writers to a region. */
    WriterCounters writers(String region) {
        return new WriterCounters(
                ofWriters("kept " + region, region, WriterCounters::kept),
                ofWriters("already stored " + region, region, WriterCounters::alreadyStored),
                ofWriters("pending " + region, region, WriterCounters::pending),
                ofWriters("bytes " + region, region, WriterCounters::bytes),
                ofWriters("puts " + region, region, WriterCounters::puts),
                ofWriters("put nanos " + region, region, WriterCounters::putNanos));
    }

    private Counter ofWriters(String name, String region, Function<WriterCounters, Counter> counter) {
        Counter known = sums.get(name);
        if (known != null) {
            return known;
        }
        List<Counter> counters = partitions.stream()
                .flatMap(partition -> Stream.ofNullable(
                        partition.parts().assembler().writers().get(region)))
                .map(RegionWriter::counters)
                .map(counter)
                .toList();
        Counter sum = Counter.sum(counters);
        if (counters.size() == partitions.size()) { // while rules change, some partitions don't write to a region yet
            sums.put(name, sum);
        }
        return sum;
    }
}
