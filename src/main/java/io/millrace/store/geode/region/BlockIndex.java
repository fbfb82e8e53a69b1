package io.millrace.store.geode.region;

import io.millrace.store.block.Block;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An index of the size and record count of the blocks on this member. Reads each block only once for these values,
 * because it may be on disk. A block that is put again, with more records, has another time. Thread-safe.
 */
public final class BlockIndex {

    private final LocalValues values;
    private final Map<Long, StoredBlock> known = new ConcurrentHashMap<>();

    BlockIndex(LocalValues values) {
        this.values = values;
    }

    /** Returns the index entry of a block, or null if there is no such block. */
    @Nullable
    public StoredBlock of(long key) {
        return of(key, values.storedAt(key));
    }

    private @Nullable StoredBlock of(long key, long storedAt) {
        StoredBlock block = known.get(key);
        if (block != null && block.storedAt() == storedAt) {
            return block;
        }
        long now = values.now();
        byte[] value = values.read(key);
        if (value == null) {
            return null;
        }
        block = new StoredBlock(
                key, storedAt, value.length, Block.peekCount(value).orElse(0));
        // In the millisecond of a put, another one may follow that has the same time.
        if (storedAt < now) {
            known.put(key, block);
        }
        return block;
    }

    /**
     * Returns all blocks whose primary copy is on this member, by ascending key, and discards index entries of other
     * blocks.
     */
    public List<StoredBlock> all() {
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
