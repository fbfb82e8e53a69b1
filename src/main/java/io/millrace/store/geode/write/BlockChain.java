package io.millrace.store.geode.write;

import io.millrace.codec.RecordBatch;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormatException;
import io.millrace.store.block.BlockVersions;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.error.CorruptDataException;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.region.Values;
import io.millrace.store.region.BlockKey;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks that a writer's earlier terms left in a region, up to the first gap: each begins where the previous one
 * ends.
 *
 * @param next key of the next block
 * @param to position up to which, exclusive, the blocks cover the feed; 0 if they have no positions
 */
record BlockChain(long next, long to) {

    private static final Logger LOG = LoggerFactory.getLogger(BlockChain.class);

    /**
     * Repairs and returns the chain. When a writer dies, some of its newest blocks may be stored and others not. The
     * feed delivers the records of blocks behind a gap again, so these blocks are removed. Blocks of a feed without
     * positions stay, because the feed delivers nothing again. So do blocks behind a gap that begin before the commit:
     * the block in the gap was stored and is lost, and the feed continues behind the commit.
     *
     * @param first key of the writer's first block
     * @param term that begins; nobody may write under earlier terms any more
     * @param shared whether a write of an earlier term may still be in progress. Such a write has passed the check of
     *     its term before this term began, so it ends before anything else is written under its key: an empty block is
     *     put under each key that it may use, unless the key has a block. This also waits for the end of a put that
     *     extends the block
     * @param committed position up to which the region was known to cover the feed
     * @param from position from which on blocks are removed too; {@link Long#MAX_VALUE} for none
     * @throws StoreException if the region does not answer
     * @throws CorruptDataException if a block can't be read
     */
    static BlockChain recover(
            Values region,
            RegionDefinition definition,
            long first,
            Term term,
            boolean shared,
            long committed,
            long from) {
        return new Recovery(region, definition, first, term, committed).recover(shared, from);
    }

    /** The state of one repair. */
    private static final class Recovery {

        private final Values region;
        private final BlockVersions versions;
        private final long first;
        private final Term term;
        private final long committed;
        private final byte[] emptyBlock;
        /**
         * All keys of the writer; {@code newest} holds its newest blocks with records, possibly with gaps in between.
         */
        private final NavigableSet<Long> stored = new TreeSet<>();

        private final NavigableMap<Long, Block> newest = new TreeMap<>();

        private Recovery(Values region, RegionDefinition definition, long first, Term term, long committed) {
            this.region = region;
            versions = BlockVersions.of(definition);
            this.first = first;
            this.term = term;
            this.committed = committed;
            emptyBlock = BlockWriter.of(definition, definition.schema())
                    .seal(RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        }

        private BlockChain recover(boolean shared, long from) {
            for (Object key : region.keys()) {
                if (BlockKey.sameWriter((Long) key, first)) {
                    stored.add((Long) key);
                }
            }
            long last = last();
            // The first of these was stored before the last one was put, so the chain has no gap up to it.
            long startKey = Math.max(first, last - BlockKey.MAX_IN_FLIGHT);
            long endKey = last + 1 + (shared ? BlockKey.MAX_IN_FLIGHT : 0);
            for (long key = startKey; key < endKey; key++) {
                if (shared) {
                    seal(key);
                }
                Block block = stored.contains(key) ? open(key, region.get(key)) : null;
                if (block != null) {
                    newest.put(key, block);
                }
            }
            boolean positioned = newest.values().stream().anyMatch(block -> block.to() != RecordBatch.NO_POSITION);
            return positioned ? withoutBlocksFrom(from, cutAtGap(startKey)) : withoutSeals(startKey);
        }

        /**
         * Removes the blocks that end behind a position, newest first and not more at a time than may be missing among
         * the newest blocks: an interrupted removal is completed by the next one.
         */
        private BlockChain withoutBlocksFrom(long position, BlockChain chain) {
            if (chain.to() <= position) {
                return chain;
            }
            List<Long> behind = new ArrayList<>();
            long to = chain.to();
            for (long key : stored.headSet(chain.next(), false).descendingSet()) {
                Block block = open(key, region.get(key));
                if (block != null && block.to() != RecordBatch.NO_POSITION) {
                    if (block.to() <= position) {
                        to = block.to();
                        break;
                    }
                    to = block.from();
                }
                behind.add(key);
            }
            LOG.info(
                    "Blocks removed whose records are read again with another version of the schema: region={} blocks={}",
                    region.name(),
                    behind.size());
            for (int start = 0; start < behind.size(); start += BlockKey.MAX_IN_FLIGHT) {
                remove(behind.subList(start, Math.min(behind.size(), start + BlockKey.MAX_IN_FLIGHT)));
            }
            return new BlockChain(behind.isEmpty() ? chain.next() : behind.getLast(), to);
        }

        /**
         * Returns the key of the last block that holds records; an earlier attempt may have left empty blocks behind
         * it.
         */
        private long last() {
            for (long key : stored.descendingSet()) {
                if (open(key, region.get(key)) != null) {
                    return key;
                }
            }
            return first - 1;
        }

        /**
         * Ends writes of earlier terms under a key: what the key has afterwards, an empty block or another one, stays.
         */
        private void seal(long key) {
            stored.add(key);
            region.putIfAbsent(key, emptyBlock, term);
        }

        private BlockChain cutAtGap(long startKey) {
            long key = startKey;
            long endPosition = RecordBatch.NO_POSITION;
            while (true) {
                Block block = newest.get(key);
                if (block != null && follows(block, endPosition)) {
                    endPosition = Math.max(endPosition, block.to());
                    key++;
                    continue;
                }
                Long next = key == startKey && startKey > first ? newest.firstKey() : committedFrom(key);
                if (next == null) {
                    break;
                }
                LOG.warn(
                        "Blocks are lost: region={} first={} next={}. Configure redundant copies or persistence.",
                        region.name(),
                        BlockKey.format(key),
                        BlockKey.format(next));
                endPosition = RecordBatch.NO_POSITION;
                key = next;
            }
            int blocks = newest.tailMap(key).size();
            if (blocks > 0) {
                LOG.info(
                        "Blocks removed after an incomplete put, their records are read again: region={} key={} blocks={}",
                        region.name(),
                        BlockKey.format(key),
                        blocks);
            }
            remove(List.copyOf(stored.tailSet(key)));
            return new BlockChain(key, Math.max(0, endPosition));
        }

        private static boolean follows(Block block, long endPosition) {
            return block.to() == RecordBatch.NO_POSITION
                    || endPosition == RecordBatch.NO_POSITION
                    || block.from() == endPosition;
        }

        /** Returns the key of the first block from a key on which begins before the commit, or null if none does. */
        private @Nullable Long committedFrom(long key) {
            return newest.tailMap(key).entrySet().stream()
                    .filter(stored -> stored.getValue().to() != RecordBatch.NO_POSITION
                            && stored.getValue().from() < committed)
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse(null);
        }

        private BlockChain withoutSeals(long startKey) {
            long next = newest.keySet().stream().mapToLong(key -> key + 1).max().orElse(startKey);
            remove(stored.tailSet(startKey).stream()
                    .filter(key -> !newest.containsKey(key))
                    .toList());
            return new BlockChain(next, 0);
        }

        private void remove(List<Long> keys) {
            if (!keys.isEmpty()) {
                region.removeAll(keys, term);
            }
        }

        /** Returns the block, or null if there is none or it is empty. */
        private @Nullable Block open(long key, byte @Nullable [] value) {
            if (value == null) {
                return null;
            }
            try {
                Block block = versions.open(value);
                return block.count() == 0 ? null : block;
            } catch (BlockFormatException e) {
                throw new CorruptDataException(
                        "Corrupt block in region '" + region.name() + "', key " + BlockKey.format(key) + ": "
                                + e.getMessage(),
                        e);
            }
        }
    }
}
