package io.millrace.store.geode;

import io.millrace.store.BlockKey;
import io.millrace.store.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes blocks past their age, and then the oldest while there are too many bytes. The newest block of each writer
 * stays: it says how far the feed is covered. Where several members have blocks of a writer, each keeps the newest that
 * it has, which needs no word between them. A writer's blocks go in the order of their keys.
 */
final class BlockSweep implements Sweep {

    private static final Logger LOG = LoggerFactory.getLogger(BlockSweep.class);

    /** Removed at once, so that writers get in between. */
    private static final int CHUNK = 64;

    private final OpenRegion region;
    private final Retention retention;

    BlockSweep(OpenRegion region) {
        this.region = region;
        this.retention = region.definition().retention();
    }

    @Override
    public Duration interval() {
        return retention.bytes() == null ? Sweeper.interval(retention.age()) : Sweeper.SHORTEST;
    }

    @Override
    public void run(long now) {
        List<StoredBlock> blocks = region.blocks().all();
        region.checks().keepOnly(blocks.stream().map(StoredBlock::key).collect(Collectors.toSet()));
        List<StoredBlock> expired = expired(blocks, now);
        for (int first = 0; first < expired.size(); first += CHUNK) {
            List<StoredBlock> chunk = expired.subList(first, Math.min(expired.size(), first + CHUNK));
            region.expire(
                    chunk.stream().map(StoredBlock::key).toList(),
                    chunk.stream().mapToLong(StoredBlock::records).sum());
        }
        if (!expired.isEmpty()) {
            LOG.info(
                    "region={} keeps no longer {} blocks with {} records, {} bytes",
                    region.definition().name(),
                    expired.size(),
                    expired.stream().mapToLong(StoredBlock::records).sum(),
                    expired.stream().mapToLong(StoredBlock::bytes).sum());
        }
    }

    private List<StoredBlock> expired(List<StoredBlock> blocks, long now) {
        Duration age = retention.age();
        Long limit = retention.bytes();
        long storedUpTo = age == null ? Long.MIN_VALUE : now - age.toMillis();
        long allowed =
                limit == null ? Long.MAX_VALUE : (long) (limit * region.values().share());
        long bytes = blocks.stream().mapToLong(StoredBlock::bytes).sum();
        List<StoredBlock> expired = new ArrayList<>();
        for (StoredBlock block : oldestFirst(blocks)) {
            if (block.storedAt() > storedUpTo && bytes <= allowed) {
                break;
            }
            expired.add(block);
            bytes -= block.bytes();
        }
        return expired;
    }

    /** All but the newest of each writer; none before one that the same writer wrote earlier. */
    private static List<StoredBlock> oldestFirst(List<StoredBlock> ascending) {
        List<StoredBlock> older = new ArrayList<>();
        StoredBlock before = null;
        for (StoredBlock block : ascending) {
            if (before != null && BlockKey.sameWriter(before.key(), block.key())) {
                older.add(before);
                before = block.notBefore(before.storedAt());
            } else {
                before = block;
            }
        }
        older.sort(Comparator.comparingLong(StoredBlock::storedAt));
        return older;
    }
}
