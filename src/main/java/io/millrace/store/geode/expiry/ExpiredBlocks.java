package io.millrace.store.geode.expiry;

import io.millrace.store.geode.region.StoredBlock;
import io.millrace.store.region.BlockKey;
import io.millrace.store.region.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Decides which blocks have expired. The {@linkplain Retention#NEWEST_BLOCKS newest} blocks of each writer have not,
 * and those of a writer expire in the order of their keys.
 */
public final class ExpiredBlocks {

    private ExpiredBlocks() {}

    /** Returns the size of blocks as {@code retain.size} limits it. */
    static long size(List<StoredBlock> blocks) {
        return blocks.stream().mapToLong(StoredBlock::size).sum();
    }

    /**
     * Returns the expired ones of a member's blocks: those that exceed the maximum age, then the oldest ones while all
     * exceed the maximum size.
     *
     * @param blocks by ascending key
     * @param latest returns the latest time at which a block with this time may have been stored
     * @param now in milliseconds since 1970
     * @param bound bytes that the member may store
     */
    public static List<StoredBlock> of(
            List<StoredBlock> blocks, Retention retention, LongUnaryOperator latest, long now, long bound) {
        Duration age = retention.age();
        long storedUpTo = age == null ? Long.MIN_VALUE : now - age.toMillis();
        long size = size(blocks);
        List<StoredBlock> expired = new ArrayList<>();
        for (StoredBlock block : oldestFirst(blocks, latest)) {
            if (block.storedAt() > storedUpTo && size <= bound) {
                break;
            }
            expired.add(block);
            size -= block.size();
        }
        return expired;
    }

    /**
     * Returns all blocks but the newest of each writer, oldest first; blocks of a writer stay in the order in which it
     * wrote them.
     */
    private static List<StoredBlock> oldestFirst(List<StoredBlock> ascending, LongUnaryOperator latest) {
        List<StoredBlock> older = new ArrayList<>();
        int end;
        for (int first = 0; first < ascending.size(); first = end) {
            end = endOfWriter(ascending, first);
            long firstRetainedKey = ascending.get(end - 1).key() - Retention.NEWEST_BLOCKS + 1;
            long storedAt = 0;
            for (int i = first; ascending.get(i).key() < firstRetainedKey; i++) {
                StoredBlock stored = ascending.get(i);
                StoredBlock block = stored.notBefore(Math.max(storedAt, latest.applyAsLong(stored.storedAt())));
                storedAt = block.storedAt();
                older.add(block);
            }
        }
        older.sort(Comparator.comparingLong(StoredBlock::storedAt));
        return older;
    }

    private static int endOfWriter(List<StoredBlock> ascending, int first) {
        int end = first;
        while (end < ascending.size()
                && BlockKey.sameWriter(
                        ascending.get(first).key(), ascending.get(end).key())) {
            end++;
        }
        return end;
    }
}
