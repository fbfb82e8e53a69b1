package io.millrace.store.geode;

import io.millrace.codec.RecordBatch;
import io.millrace.store.Block;
import io.millrace.store.BlockFormatException;
import io.millrace.store.BlockKey;
import io.millrace.store.BlockWriter;
import io.millrace.store.RegionDefinition;
import io.millrace.store.StoreException;
import io.millrace.store.Term;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks that a writer's earlier terms left in a region, as far as they are without a gap: each begins where the
 * one before it ends.
 *
 * @param next key of the block that comes next
 * @param to position up to which, exclusive, the blocks cover the feed; 0 where they say nothing of it
 * @param cut whether blocks behind a gap were removed, so that the region holds nothing behind that position
 */
record BlockChain(long next, long to, boolean cut) {

    private static final Logger LOG = LoggerFactory.getLogger(BlockChain.class);

    /**
     * Repairs and returns the chain. A writer that dies leaves some of its newest blocks stored and others not: those
     * behind a gap hold what the feed will bring again, so they are removed. Blocks of a feed without positions stay:
     * it brings nothing again.
     *
     * @param first key of the writer's first block
     * @param term that begins; nobody may write under earlier ones any more
     * @param shared whether a write of an earlier term may still be under way. Such a one has passed the check of its
     *     term before this one began, so it ends before anything else is written under its key: an empty block is put
     *     under each key that it may have, unless there is one
     * @throws StoreException where the region does not answer, or a block can't be read
     */
    static BlockChain recover(Values region, RegionDefinition definition, long first, Term term, boolean shared) {
        return new Recovery(region, definition, first, term).recover(shared);
    }

    /** What is needed to repair one chain. */
    private static final class Recovery {

        private final Values region;
        private final RegionDefinition definition;
        private final long first;
        private final Term term;
        /** All keys of the writer, and the newest blocks that hold records, between which there may be gaps. */
        private final NavigableSet<Long> stored = new TreeSet<>();

        private final Map<Long, Block> newest = new TreeMap<>();

        private Recovery(Values region, RegionDefinition definition, long first, Term term) {
            this.region = region;
            this.definition = definition;
            this.first = first;
            this.term = term;
        }

        private BlockChain recover(boolean shared) {
            for (Object key : region.keys()) {
                if (BlockKey.sameWriter((Long) key, first)) {
                    stored.add((Long) key);
                }
            }
            long last = last();
            // The first of these was stored before the last one was put, so the chain is without a gap up to it.
            long from = Math.max(first, last - BlockKey.MAX_IN_FLIGHT);
            long end = last + 1 + (shared ? BlockKey.MAX_IN_FLIGHT : 0);
            for (long key = from; key < end; key++) {
                Block block = stored.contains(key) ? open(key, region.get(key)) : shared ? seal(key) : null;
                if (block != null) {
                    newest.put(key, block);
                }
            }
            boolean positioned = newest.values().stream().anyMatch(block -> block.to() != RecordBatch.NO_POSITION);
            return positioned ? cutAtGap(from) : withoutSeals(from);
        }

        /** The key of the last block that holds records: behind it, an earlier attempt may have left empty ones. */
        private long last() {
            for (long key : stored.descendingSet()) {
                if (open(key, region.get(key)) != null) {
                    return key;
                }
            }
            return first - 1;
        }

        /** Returns the block that has arrived under the key meanwhile, or null where the key is sealed now. */
        private @Nullable Block seal(long key) {
            byte[] empty = BlockWriter.of(definition, definition.schema())
                    .seal(RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
            stored.add(key);
            return open(key, region.putIfAbsent(key, empty, term));
        }

        private BlockChain cutAtGap(long from) {
            long key = from;
            if (from > first && !newest.containsKey(from)) {
                // It was stored before the last block was put, so it was lost with its server. Restarting the feed at
                // position 0 would duplicate the blocks that remain.
                key = newest.keySet().iterator().next();
                LOG.warn(
                        "Blocks are lost: region={} first={} next={}. Give the region copies, or store it on disk.",
                        region.name(),
                        BlockKey.format(from),
                        BlockKey.format(key));
            }
            long to = 0;
            boolean begun = false;
            for (Block block = newest.get(key); block != null; block = newest.get(++key)) {
                if (block.to() != RecordBatch.NO_POSITION) {
                    if (begun && block.from() != to) {
                        break;
                    }
                    to = block.to();
                    begun = true;
                }
            }
            long cut = key;
            long blocks = newest.keySet().stream().filter(other -> other >= cut).count();
            if (blocks > 0) {
                LOG.info(
                        "region={}: block {} was on its way when its writer ended; {} blocks behind it are removed, and"
                                + " their records are read from the feed again",
                        region.name(),
                        BlockKey.format(key),
                        blocks);
            }
            remove(List.copyOf(stored.tailSet(key)));
            return new BlockChain(key, to, blocks > 0);
        }

        private BlockChain withoutSeals(long from) {
            long next = newest.keySet().stream().mapToLong(key -> key + 1).max().orElse(from);
            remove(stored.tailSet(from).stream()
                    .filter(key -> !newest.containsKey(key))
                    .toList());
            return new BlockChain(next, 0, false);
        }

        private void remove(List<Long> keys) {
            if (!keys.isEmpty()) {
                region.removeAll(keys, term);
            }
        }

        /** Returns the block, or null where there is none or it is empty. */
        private @Nullable Block open(long key, byte @Nullable [] value) {
            if (value == null) {
                return null;
            }
            try {
                Block block = Block.open(value, definition.schema());
                return block.count() == 0 ? null : block;
            } catch (BlockFormatException e) {
                throw new StoreException(
                        "region=" + region.name() + " key=" + BlockKey.format(key) + " " + e.getMessage(), e);
            }
        }
    }
}
