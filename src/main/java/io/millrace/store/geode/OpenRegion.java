package io.millrace.store.geode;

import io.millrace.codec.Counter;
import io.millrace.store.BlockChecks;
import io.millrace.store.BlockKey;
import io.millrace.store.RegionDefinition;
import io.millrace.store.StoreException;
import io.millrace.store.WriterCounters;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.geode.cache.Region;

/** A region with its definition, and who writes to it. Thread-safe. */
final class OpenRegion {

    private final RegionDefinition definition;
    private final Region<Object, byte[]> region;
    private final BlockChecks checks = new BlockChecks();
    private final Map<Integer, String> pipelines = new ConcurrentHashMap<>();

    OpenRegion(RegionDefinition definition, Region<Object, byte[]> region) {
        this.definition = definition;
        this.region = region;
    }

    RegionDefinition definition() {
        return definition;
    }

    Region<Object, byte[]> region() {
        return region;
    }

    /** What of its blocks was checked already. */
    BlockChecks checks() {
        return checks;
    }

    /** Takes a pipeline's hash for it, so that no two pipelines write under the same keys. */
    void admit(String pipeline) {
        String other = pipelines.putIfAbsent(BlockKey.pipelineHash(pipeline), pipeline);
        if (other != null && !other.equals(pipeline)) {
            throw new StoreException("region=" + definition.name() + " pipeline=" + pipeline
                    + " has the same block keys as pipeline=" + other + ": rename one of them");
        }
    }

    /** Puts one value, and counts it once it is in. */
    void put(Object key, byte[] value, WriterCounters counters) {
        long start = System.nanoTime();
        try {
            region.put(key, value);
        } catch (RuntimeException e) {
            throw failure("put of key=" + (key instanceof Long block ? BlockKey.format(block) : key), e);
        }
        count(counters, start, 1, value.length);
    }

    /** Puts many values, and counts them once all are in. */
    void putAll(Map<Object, byte[]> values, WriterCounters counters) {
        long start = System.nanoTime();
        try {
            region.putAll(values);
        } catch (RuntimeException e) {
            throw failure("put of " + values.size() + " entries", e);
        }
        long bytes = 0;
        for (byte[] value : values.values()) {
            bytes += value.length;
        }
        count(counters, start, values.size(), bytes);
    }

    /** Removes entries, as far as they are there, and counts the time once all are gone. */
    void removeAll(Collection<Object> keys, WriterCounters counters) {
        long start = System.nanoTime();
        try {
            region.removeAll(keys);
        } catch (RuntimeException e) {
            throw failure("removal of " + keys.size() + " entries", e);
        }
        count(counters, start, 0, 0);
    }

    private static void count(WriterCounters counters, long start, int puts, long bytes) {
        Counter nanos = counters.putNanos();
        nanos.add(System.nanoTime() - start);
        counters.puts().add(puts);
        counters.bytes().add(bytes);
    }

    private StoreException failure(String what, RuntimeException cause) {
        return new StoreException("region=" + definition.name() + " " + what + " failed: " + cause.getMessage(), cause);
    }
}
