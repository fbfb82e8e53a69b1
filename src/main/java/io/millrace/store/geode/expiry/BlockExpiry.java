package io.millrace.store.geode.expiry;

import io.millrace.background.LogLimit;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.region.StoredBlock;
import io.millrace.store.geode.region.WriteAllowance;
import io.millrace.store.geode.region.WriteAllowance.Written;
import io.millrace.store.region.Retention;
import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes blocks that exceed the maximum age, then the oldest ones while the region exceeds its maximum size. The
 * region's {@link WriteAllowance} limits how much may be written until the next run. The
 * {@linkplain Retention#NEWEST_BLOCKS newest} blocks of each writer stay. If several members have blocks of a writer,
 * each member uses the newest block that it has; this retains at least as much and needs no coordination. Blocks of a
 * writer are removed in the order of their keys.
 */
final class BlockExpiry implements Expiry {

    private static final Logger LOG = LoggerFactory.getLogger(BlockExpiry.class);

    /** Blocks removed at a time, so that writers can proceed in between. */
    private static final int CHUNK = 64;

    private final OpenRegion region;
    private final Retention retention;
    private final LongUnaryOperator latest;
    private final LogLimit logLimit = new LogLimit();
    /** Totals since the last log line. */
    private long removedBlocks;

    private long removedRecords;
    private long removedBytes;

    /** @param latest returns the latest time at which a block with this time may have been stored */
    BlockExpiry(OpenRegion region, LongUnaryOperator latest) {
        this.region = region;
        this.latest = latest;
        this.retention = region.definition().retention();
    }

    @Override
    public Duration interval() {
        return retention.bytes() == null ? ExpiryInterval.of(retention.age()) : ExpiryInterval.SHORTEST;
    }

    @Override
    public void run(long now) {
        WriteAllowance allowance = region.allowance();
        Written before = allowance == null ? null : allowance.begin();
        List<StoredBlock> blocks = region.blocks().all();
        region.checks().keepOnly(blocks.stream().map(StoredBlock::key).collect(Collectors.toSet()));
        long bound = bound();
        List<StoredBlock> expired = ExpiredBlocks.of(blocks, retention, latest, now, bound);
        for (int first = 0; first < expired.size(); first += CHUNK) {
            List<StoredBlock> chunk = expired.subList(first, Math.min(expired.size(), first + CHUNK));
            region.expire(
                    chunk.stream().map(StoredBlock::key).toList(),
                    chunk.stream().mapToLong(StoredBlock::records).sum());
        }
        if (allowance != null && before != null) {
            allowance.renew(before, bound, ExpiredBlocks.size(blocks) - ExpiredBlocks.size(expired));
        }
        if (!expired.isEmpty()) {
            log(expired);
        }
    }

    /** Limits the log lines, because expiry of a fast feed runs many times a second. */
    private void log(List<StoredBlock> expired) {
        removedBlocks += expired.size();
        removedRecords += expired.stream().mapToLong(StoredBlock::records).sum();
        removedBytes += bytes(expired);
        if (logLimit.next(System.nanoTime()) != LogLimit.LEFT_OUT) {
            LOG.info(
                    "Expired blocks removed: region={} blocks={} records={} bytes={}",
                    region.definition().name(),
                    removedBlocks,
                    removedRecords,
                    removedBytes);
            removedBlocks = 0;
            removedRecords = 0;
            removedBytes = 0;
        }
    }

    /** Returns how many bytes this member may store. */
    private long bound() {
        Long limit = retention.bytes();
        return limit == null ? Long.MAX_VALUE : (long) (limit * region.values().share());
    }

    private static long bytes(List<StoredBlock> blocks) {
        return blocks.stream().mapToLong(StoredBlock::bytes).sum();
    }
}
