package io.millrace.store.geode.write;

import io.millrace.background.FailureCode;
import io.millrace.codec.RecordBatch;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormatException;
import io.millrace.store.block.BlockVersions;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.region.Values;
import io.millrace.store.region.BlockKey;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * @param cut whether blocks behind a gap were removed, so that the region holds nothing behind that position
 */
record BlockChain(long next, long to, boolean cut) {

    private static final Logger LOG = LoggerFactory.getLogger(BlockChain.class);

    /**
     * Repairs and returns the chain. When a writer dies, some of its newest blocks may be stored and others not. The
     * feed delivers the records of blocks behind a gap again, so these blocks are removed. Blocks of a feed without
     * positions stay, because the feed delivers nothing again.
     *
     * @param first key of the writer's first block
     * @param term that begins; nobody may write under earlier terms any more
     * @param shared whether a write of an earlier term may still be in progress. Such a write has passed the check of
     *     its term before this term began, so it ends before anything else is written under its key: an empty block is
     *     put under each key that it may use, unless the key has a block
     * @param from position from which on blocks are removed too; {@link Long#MAX_VALUE} for none
     * @throws StoreException if the region does not answer, or a block can't be read
     */
    static BlockChain recover(
            Values region, RegionDefinition definition, long first, Term term, boolean shared, long from) {
        return new Recovery(region, definition, first, term).recover(shared, from);
    }

    /** The state of one repair. */
    private static final class Recovery {

        private final Values region;
        private final RegionDefinition definition;
        private final BlockVersions versions;
        private final long first;
        private final Term term;
        /**
         * All keys of the writer; {@code newest} holds its newest blocks with records, possibly with gaps in between.
         */
        private final NavigableSet<Long> stored = new TreeSet<>();

        private final Map<Long, Block> newest = new TreeMap<>();

        private Recovery(Values region, RegionDefinition definition, long first, Term term) {
            this.region = region;
            this.definition = definition;
            versions = BlockVersions.of(definition);
            this.first = first;
            this.term = term;
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
                Block block = stored.contains(key) ? open(key, region.get(key)) : shared ? seal(key) : null;
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
            return new BlockChain(behind.isEmpty() ? chain.next() : behind.getLast(), to, false);
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

        /** Returns the block that has meanwhile arrived under the key, or null if the key is now sealed. */
        private @Nullable Block seal(long key) {
            byte[] empty = BlockWriter.of(definition, definition.schema())
                    .seal(RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
            stored.add(key);
            return open(key, region.putIfAbsent(key, empty, term));
        }

        private BlockChain cutAtGap(long startKey) {
            long key = startKey;
            if (startKey > first && !newest.containsKey(startKey)) {
                // The block was stored before the last block was put, so it was lost with its server. Restarting the
                // feed at position 0 would duplicate the blocks that remain.
                key = newest.keySet().iterator().next();
                LOG.warn(
                        "Blocks are lost: region={} first={} next={}. Configure redundant copies or persistence.",
                        region.name(),
                        BlockKey.format(startKey),
                        BlockKey.format(key));
            }
            long endPosition = 0;
            boolean begun = false;
            for (Block block = newest.get(key); block != null; block = newest.get(++key)) {
                if (block.to() != RecordBatch.NO_POSITION) {
                    if (begun && block.from() != endPosition) {
                        break;
                    }
                    endPosition = block.to();
                    begun = true;
                }
            }
            long cut = key;
            long blocks = newest.keySet().stream().filter(other -> other >= cut).count();
            if (blocks > 0) {
                LOG.info(
                        "Blocks removed after an incomplete put, their records are read again: region={} key={} blocks={}",
                        region.name(),
                        BlockKey.format(key),
                        blocks);
            }
            remove(List.copyOf(stored.tailSet(key)));
            return new BlockChain(key, endPosition, blocks > 0);
        }

        private BlockChain withoutSeals(long startKey) {
            long next = newest.keySet().stream().mapToLong(key -> key + 1).max().orElse(startKey);
            remove(stored.tailSet(startKey).stream()
                    .filter(key -> !newest.containsKey(key))
                    .toList());
            return new BlockChain(next, 0, false);
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
                throw new StoreException(
                        FailureCode.CORRUPT_BLOCK.message("Corrupt block in region '" + region.name() + "', key "
                                + BlockKey.format(key) + ": " + e.getMessage()),
                        e);
            }
        }
    }
}
