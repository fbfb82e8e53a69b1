package io.millrace.store.geode;

import io.millrace.codec.RecordBatch;
import io.millrace.store.Block;
import io.millrace.store.BlockFormatException;
import io.millrace.store.BlockKey;
import io.millrace.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks that a writer of the same pipeline and partition left in a region before.
 *
 * @param lastKey key of the last one, if there is one
 * @param last the last one, null where there is none
 */
record EarlierBlocks(long lastKey, @Nullable Block last) {

    private static final Logger LOG = LoggerFactory.getLogger(EarlierBlocks.class);

    /**
     * Finds the last block before which none is missing. A writer that dies leaves some of its newest blocks stored and
     * others not: those behind a missing one hold what the feed will bring again, so they are removed. Blocks of a feed
     * that has no positions stay: it brings nothing again.
     *
     * @param first key of the writer's first block
     * @throws StoreException where the region does not answer, or a block can't be read
     */
    static EarlierBlocks find(OpenRegion region, long first) {
        Set<Object> keys = region.keys();
        long newest = newest(keys, first);
        if (newest < first) {
            return new EarlierBlocks(first, null);
        }
        long missing = missing(keys, first, newest);
        Block last = read(region, newest);
        if (missing > newest || last.to() == RecordBatch.NO_POSITION) {
            return new EarlierBlocks(newest, last);
        }
        removeBehind(region, missing, newest);
        return missing == first
                ? new EarlierBlocks(first, null)
                : new EarlierBlocks(missing - 1, read(region, missing - 1));
    }

    private static long newest(Set<Object> keys, long first) {
        long newest = first - 1;
        for (Object key : keys) {
            long stored = (Long) key;
            if (BlockKey.sameWriter(stored, first)) {
                newest = Math.max(newest, stored);
            }
        }
        return newest;
    }

    /** The first key that is missing among those that may be; one past the newest where none is. */
    private static long missing(Set<Object> keys, long first, long newest) {
        long from = Math.max(first, newest - BlockKey.MAX_IN_FLIGHT + 1);
        Set<Long> there = new HashSet<>();
        for (Object key : keys) {
            long stored = (Long) key;
            if (stored >= from && stored <= newest) {
                there.add(stored);
            }
        }
        long missing = from;
        while (there.contains(missing)) {
            missing++;
        }
        return missing;
    }

    private static void removeBehind(OpenRegion region, long missing, long newest) {
        List<Long> behind = new ArrayList<>();
        for (long key = missing + 1; key <= newest; key++) {
            behind.add(key);
        }
        LOG.info(
                "region={}: block {} was on its way when its writer ended; the blocks up to {} behind it are removed,"
                        + " since the feed brings their records again",
                region.definition().name(),
                BlockKey.format(missing),
                BlockKey.format(newest));
        region.removeAll(behind);
    }

    private static Block read(OpenRegion region, long key) {
        String name = "region=" + region.definition().name() + " key=" + BlockKey.format(key);
        byte[] value = region.get(key);
        if (value == null) {
            throw new StoreException(name + " went away while the region was opened");
        }
        try {
            return Block.open(value, region.definition().schema());
        } catch (BlockFormatException e) {
            throw new StoreException(name + " " + e.getMessage(), e);
        }
    }
}
