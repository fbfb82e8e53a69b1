package io.millrace.store.geode.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.codec.RecordBatch;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.StoredBlocks;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.util.CacheWriterAdapter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BlockRegionWriterTest {

    private static final String REGION = "blocks";
    private static final byte[] FEED = Trades.feed(100);
    private static GeodeStore store;

    @BeforeAll
    static void open() {
        store = new GeodeStore(GeodeOptions.inMemory());
        store.open(new RegionDefinition(REGION, Layout.BLOCKS, 0, false, Trades.SCHEMA, List.of("id"), 8));
    }

    @AfterAll
    static void close() {
        store.close();
    }

    private static RegionWriter writer(String pipeline) {
        return Writers.open(store, REGION, pipeline, 0, Trades.SCHEMA, (batch, ordinal, reason) -> {
            throw new AssertionError(reason.toString());
        });
    }

    private static List<Long> ids(long first, long end) {
        return LongStream.range(first, end).boxed().toList();
    }

    @Test
    void shouldStoreFullBlocksAtOnceAndTheRestOnFlush() {
        RegionWriter writer = writer("flushed");
        writer.append(Trades.batch(FEED, 0, 20));

        assertThat(StoredBlocks.ids(REGION, "flushed", 0)).isEqualTo(ids(0, 16));
        assertThat(writer.counters().kept().get()).isEqualTo(16);
        assertThat(writer.counters().pending().get()).isEqualTo(4);
        assertThat(writer.covered()).isEqualTo(16 * Trades.LENGTH);

        writer.advance(20 * Trades.LENGTH);
        writer.flush();

        assertThat(StoredBlocks.ids(REGION, "flushed", 0)).isEqualTo(ids(0, 20));
        assertThat(writer.counters().kept().get()).isEqualTo(20);
        assertThat(writer.counters().pending().get()).isZero();
        assertThat(writer.counters().puts().get()).isEqualTo(3);
        assertThat(writer.counters().bytes().get()).isEqualTo(3 * BlockFormat.HEADER_LENGTH + 20 * Trades.LENGTH);
        assertThat(writer.covered()).isEqualTo(20 * Trades.LENGTH);
    }

    @Test
    void shouldCoverUpToTheBatchEndWhereItsLastRecordsWentElsewhere() {
        RegionWriter writer = writer("routed");
        writer.append(Trades.every(10, Trades.batch(FEED, 0, 19)));
        writer.advance(19 * Trades.LENGTH);
        writer.flush();

        List<Block> blocks = StoredBlocks.of(REGION, "routed", 0);
        assertThat(blocks).hasSize(1);
        assertThat(blocks.getFirst().count()).isEqualTo(2);
        assertThat(blocks.getFirst().to()).isEqualTo(19 * Trades.LENGTH);
    }

    @Test
    void shouldGoOnWhereTheLastBlockEnded() {
        writer("resumed").append(Trades.batch(FEED, 0, 20));

        RegionWriter again = writer("resumed");
        assertThat(again.covered()).isEqualTo(16 * Trades.LENGTH);
        again.append(Trades.batch(FEED, 10, 40));
        again.flush();

        assertThat(StoredBlocks.ids(REGION, "resumed", 0)).isEqualTo(ids(0, 40));
        assertThat(again.counters().alreadyStored().get()).isEqualTo(6);
        assertThat(again.counters().kept().get()).isEqualTo(30);
    }

    /** As a killed client of a cluster leaves it: one of the blocks on their way has not arrived. */
    @Test
    void shouldRemoveBlocksBehindAGap() {
        writer("interrupted").append(Trades.batch(FEED, 0, 40));
        removeBlock("interrupted", 2);

        RegionWriter again = writer("interrupted");
        assertThat(again.covered()).isEqualTo(16 * Trades.LENGTH);
        again.append(Trades.batch(FEED, 10, 40));
        again.flush();
        assertThat(StoredBlocks.ids(REGION, "interrupted", 0)).isEqualTo(ids(0, 40));
    }

    /** Other rules may process the feed by now, so nothing before the commit is processed again. */
    @Test
    void shouldContinueAtTheCommitWhereTheBlockBehindItIsMissing() {
        RegionWriter writer = writer("committed");
        writer.append(Trades.batch(FEED, 0, 16));
        writer.advance(24 * Trades.LENGTH);
        writer.flush();
        writer.append(Trades.batch(FEED, 24, 40));
        removeBlock("committed", 2);

        RegionWriter again = writer("committed");
        assertThat(again.covered()).isEqualTo(24 * Trades.LENGTH);
        again.append(Trades.batch(FEED, 20, 40));
        again.flush();
        List<Long> expected = new ArrayList<>(ids(0, 16));
        expected.addAll(ids(24, 40));
        assertThat(StoredBlocks.ids(REGION, "committed", 0)).isEqualTo(expected);
    }

    /** All copies of a block were lost: what is left of the feed stays as it is. */
    @Test
    void shouldKeepBlocksBehindALostOne() {
        RegionWriter writer = writer("robbed");
        writer.append(Trades.batch(FEED, 0, 40));
        writer.advance(40 * Trades.LENGTH);
        writer.flush();
        removeBlock("robbed", 0);
        removeBlock("robbed", 2);

        RegionWriter again = writer("robbed");
        assertThat(again.covered()).isEqualTo(40 * Trades.LENGTH);
        again.append(Trades.batch(FEED, 20, 50));
        again.flush();
        List<Long> stored = new ArrayList<>();
        long first = Writers.firstKey(REGION, "robbed", 0);
        for (long key = first; key < first + 7; key++) {
            byte[] block = StoredBlocks.region(REGION).get(key);
            for (int i = 0;
                    block != null && i < Block.open(block, Trades.SCHEMA).count();
                    i++) {
                stored.add(Trades.id(block, BlockFormat.HEADER_LENGTH + i * Trades.LENGTH));
            }
        }
        List<Long> expected = new ArrayList<>(ids(8, 16));
        expected.addAll(ids(24, 50));
        assertThat(stored).isEqualTo(expected);
    }

    private static void removeBlock(String pipeline, int number) {
        Object removed = StoredBlocks.region(REGION).remove(Writers.firstKey(REGION, pipeline, 0) + number);
        assertThat(removed).isNotNull();
    }

    /** Blocks have 8 records; the records 0 to 4 are made of one record, 5 to 16 of the next, 17 to 19 of the last. */
    @Test
    void shouldStoreRecordsOfTheSamePositionInOneBlock() {
        long[] positions = new long[21];
        for (int i = 0; i < 20; i++) {
            positions[i] = i < 5 ? 100 : i < 17 ? 200 : 300;
        }
        positions[20] = 400;
        RecordBatch made = new RecordBatch(Trades.SCHEMA);
        writer("made").append(made.fill(FEED, 20, positions));
        assertThat(StoredBlocks.ids(REGION, "made", 0)).isEqualTo(ids(0, 17));
        assertThat(StoredBlocks.of(REGION, "made", 0)).extracting(Block::to).containsExactly(300L);

        RegionWriter again = writer("made");
        assertThat(again.covered()).isEqualTo(300);
        again.append(made.fill(FEED, 20, positions));
        again.flush();
        assertThat(again.counters().alreadyStored().get()).isEqualTo(17);
        assertThat(StoredBlocks.ids(REGION, "made", 0)).isEqualTo(ids(0, 20));

        // Only some of them are selected.
        RegionWriter some = writer("some");
        some.append(Trades.every(3, made.fill(FEED, 20, positions)));
        some.flush();
        assertThat(StoredBlocks.of(REGION, "some", 0)).extracting(Block::to).containsExactly(400L);
    }

    @Test
    void shouldKeepAllOfAFeedWithoutPositions() {
        RegionWriter writer = writer("endless");
        writer.append(
                new RecordBatch(Trades.SCHEMA).fill(FEED, 0, 20, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
        writer.advance(RecordBatch.NO_POSITION);
        writer.flush();
        RegionWriter again = writer("endless");
        assertThat(again.covered()).isZero();
        again.append(new RecordBatch(Trades.SCHEMA).fill(FEED, 0, 5, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
        again.flush();

        assertThat(StoredBlocks.of(REGION, "endless", 0))
                .hasSize(4)
                .allSatisfy(block -> assertThat(block.from()).isEqualTo(-1))
                .allSatisfy(block -> assertThat(block.to()).isEqualTo(-1));
        assertThat(StoredBlocks.ids(REGION, "endless", 0)).hasSize(25);
    }

    @Test
    void shouldKeepTheFeedsPositionWhereRecordsWithoutOneComeBetween() {
        RecordBatch sent = new RecordBatch(Trades.SCHEMA);
        RegionWriter writer = writer("mixed");
        writer.append(Trades.batch(FEED, 0, 10));
        writer.advance(10L * Trades.LENGTH);
        writer.append(sent.fill(FEED, 50 * Trades.LENGTH, 20, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
        writer.flush();

        RegionWriter again = writer("mixed");
        assertThat(again.covered()).isEqualTo(10L * Trades.LENGTH);
        again.append(Trades.batch(FEED, 0, 12));
        again.flush();
        List<Long> expected = new ArrayList<>(ids(0, 10));
        expected.addAll(ids(50, 70));
        expected.addAll(ids(10, 12));
        assertThat(StoredBlocks.ids(REGION, "mixed", 0)).isEqualTo(expected);
    }

    @Test
    void shouldNeitherLoseNorDoubleWhereAPutFails() {
        RegionWriter writer = writer("failing");
        RecordBatch batch = Trades.batch(FEED, 0, 50);
        int[] attempts = {0};
        StoredBlocks.region(REGION).getAttributesMutator().setCacheWriter(new CacheWriterAdapter<>() {
            @Override
            public void beforeCreate(EntryEvent<Object, byte[]> event) {
                if (attempts[0]++ % 3 != 2) {
                    throw new CacheWriterException("not now");
                }
            }
        });
        try {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> writer.append(batch))
                    .withMessageContaining("in region 'blocks'")
                    .withMessageContaining("/0 ")
                    .withMessageContaining("not now");
            assertThat(writer.counters().kept().get()).isZero();
            assertThat(writer.counters().pending().get()).isEqualTo(8);
            assertThatIllegalStateException().isThrownBy(() -> writer.append(Trades.batch(FEED, 50, 60)));
            assertThatIllegalStateException().isThrownBy(() -> writer.append(Trades.batch(batch, FEED, 50, 60)));
            assertThatIllegalStateException().isThrownBy(() -> writer.advance(50 * Trades.LENGTH));
            Trades.batch(batch, FEED, 0, 50);
            assertThatExceptionOfType(StoreException.class).isThrownBy(writer::flush);
            writer.flush();
            untilItWorks(() -> writer.append(batch));
            untilItWorks(writer::flush);
        } finally {
            StoredBlocks.region(REGION).getAttributesMutator().setCacheWriter(null);
        }

        assertThat(StoredBlocks.ids(REGION, "failing", 0)).isEqualTo(ids(0, 50));
        assertThat(writer.counters().kept().get()).isEqualTo(50);
        assertThat(attempts[0]).isEqualTo(3 * 7);
    }

    @Test
    void shouldRefuseToContinueBehindACorruptBlock() {
        RegionWriter writer = writer("corrupt");
        writer.append(Trades.batch(FEED, 0, 8));
        writer.flush();
        long key = Writers.firstKey(REGION, "corrupt", 0);
        byte[] corrupt =
                StoredBlocks.of(REGION, "corrupt", 0).getFirst().bytes().clone();
        corrupt[corrupt.length - 1] ^= 1;
        StoredBlocks.region(REGION).put(key, corrupt);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> writer("corrupt"))
                .withMessageContaining("Corrupt block in region 'blocks', key ")
                .withMessageEndingWith(" [corrupt-data]");
        StoredBlocks.region(REGION).remove(key);
    }

    private static void untilItWorks(Runnable call) {
        while (true) {
            try {
                call.run();
                return;
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("not now");
            }
        }
    }

    /** These names shared the 16 bits of a hash once, and so their keys. */
    @Test
    void shouldGiveEachPipelineKeysOfItsOwn() {
        for (String pipeline : List.of("cdr-11517", "orders-13057", "p142", "q25763")) {
            RegionWriter writer = writer(pipeline);
            writer.append(Trades.batch(FEED, 0, 20));
            writer.advance(20 * Trades.LENGTH);
            writer.flush();
        }

        for (String pipeline : List.of("cdr-11517", "orders-13057", "p142", "q25763")) {
            assertThat(StoredBlocks.ids(REGION, pipeline, 0)).isEqualTo(ids(0, 20));
            assertThat(writer(pipeline).covered()).isEqualTo(20 * Trades.LENGTH);
        }
    }
}
