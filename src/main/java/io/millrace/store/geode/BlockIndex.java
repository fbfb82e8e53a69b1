package io.millrace.store.geode;

import io.millrace.store.Block;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Length and number of records of the blocks that this member has, so that each is read once for these: it may be on
 * disk. Thread-safe.
 */
final class BlockIndex {

    private final LocalValues values;
    private final Map<Long, StoredBlock> known = new ConcurrentHashMap<>();

    BlockIndex(LocalValues values) {
        this.values = values;
    }

    /** What is known of a block, or null where there is none. */
    @Nullable
    StoredBlock of(long key) {
        return of(key, values.storedAt(key));
    }

    private @Nullable StoredBlock of(long key, long storedAt) {
        StoredBlock block = known.get(key);
        if (block != null && block.storedAt() == storedAt) {
            return block;
        }
        byte[] value = values.read(key);
        if (value == null) {
            return null;
        }
        block = new StoredBlock(
                key, storedAt, value.length, Block.peekCount(value).orElse(0));
        // A block of no records is soon written over, perhaps in the same millisecond.
        if (block.records() > 0) {
            known.put(key, block);
        }
        return block;
    }

    /** All blocks that this member is the first to have, by ascending key; forgets what was known of others. */
    List<StoredBlock> all() {
        List<StoredBlock> blocks = new ArrayList<>();
        Set<Long> keys = new HashSet<>();
        values.each((key, storedAt) -> {
            StoredBlock block = of((Long) key, storedAt);
            if (block != null) {
                blocks.add(block);
                keys.add(block.key());
            }
        });
        known.keySet().retainAll(keys);
        blocks.sort(Comparator.comparingLong(StoredBlock::key));
        return blocks;
    }
}
