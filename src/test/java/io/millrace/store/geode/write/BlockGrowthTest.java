package io.millrace.store.geode.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RecordBatch;
import io.millrace.store.Trades;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.error.StoreException;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.BlockKey;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A writer of a feed whose records are flushed a few at a time: its last block grows until it is worth a value. */
class BlockGrowthTest {

    private static final int RECORDS = 20_000;
    private static final byte[] FEED = Trades.feed(RECORDS);

    private final HeldValues values = new HeldValues();
    private long epoch;

    private static RegionDefinition definition(int blockRecords, BlockEncoding encoding) {
        return new RegionDefinition(
                "held", Layout.BLOCKS, 0, false, Trades.SCHEMA, List.of("id"), null, blockRecords, encoding);
    }

    private BlockRegionWriter writer(boolean shared) {
        return writer(definition(RegionDefinition.DEFAULT_BLOCK_RECORDS, BlockEncoding.ROWS), shared);
    }

    private BlockRegionWriter writer(RegionDefinition definition, boolean shared) {
        BlockRegionWriter writer = new BlockRegionWriter(
                new BlockRegionWriter.Target(values, definition, () -> definition, shared),
                Term::number,
                Trades.SCHEMA,
                PutExecutor.SAME_THREAD,
                1);
        open(writer);
        return writer;
    }

    private void open(BlockRegionWriter writer) {
        writer.open(new Term(WriterName.of("trickle", 0), false, 3, ++epoch, "token-" + epoch), 0);
    }

    private static void store(BlockRegionWriter writer, int first, int end) {
        writer.append(Trades.batch(FEED, first, end));
        writer.advance((long) end * Trades.LENGTH);
        writer.flush();
    }

    /** Stores records of a feed without positions, as one that is acknowledged. */
    private static void acknowledge(BlockRegionWriter writer, int first, int end) {
        writer.append(new RecordBatch(Trades.SCHEMA)
                .fill(FEED, first * Trades.LENGTH, end - first, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
        writer.advance(RecordBatch.NO_POSITION);
        writer.flush();
    }

    private List<Block> blocks() {
        return values.stored.values().stream()
                .map(value -> Block.open(value, Trades.SCHEMA))
                .toList();
    }

    private List<Long> ids() {
        List<Long> ids = new ArrayList<>();
        for (Block block : blocks()) {
            for (int i = 0; i < block.count(); i++) {
                ids.add(Trades.id(block.bytes(), BlockFormat.HEADER_LENGTH + i * Trades.LENGTH));
            }
        }
        return ids;
    }

    private static List<Long> ids(int end) {
        return LongStream.range(0, end).boxed().toList();
    }

    @Example
    void shouldStoreATrickleThatIsAcknowledgedInFewBlocks() {
        BlockRegionWriter writer = writer(false);
        for (int i = 0; i < RECORDS; i++) {
            acknowledge(writer, i, i + 1);
            assertThat(writer.counters().kept().get()).isEqualTo(i + 1);
        }
        assertThat(ids()).isEqualTo(ids(RECORDS));
        assertThat(values.stored).hasSizeLessThan(RECORDS * Trades.LENGTH / BlockRegionWriter.MIN_BLOCK_BYTES + 2);
        assertThat(values.bytes / values.puts).isLessThan(BlockRegionWriter.MIN_BLOCK_BYTES);
    }

    @Example
    void shouldCoverTheFeedByBlocksThatMeet() {
        BlockRegionWriter writer = writer(false);
        for (int i = 0; i < 3_000; i += 3) {
            store(writer, i, i + 3);
            assertThat(writer.covered()).isEqualTo((i + 3L) * Trades.LENGTH);
        }
        assertThat(ids()).isEqualTo(ids(3_000));
        assertThat(blocks()).hasSizeLessThan(6);
        long covered = 0;
        for (Block block : blocks()) {
            assertThat(block.from()).isEqualTo(covered);
            covered = block.to();
        }
        assertThat(covered).isEqualTo(3_000L * Trades.LENGTH);
    }

    @Example
    void shouldNotRewriteABlockOfUsualSize() {
        BlockRegionWriter writer = writer(false);
        for (int i = 0; i < 5_000; i += 1_000) {
            store(writer, i, i + 1_000);
        }
        assertThat(values.puts).isEqualTo(5);
        assertThat(blocks()).extracting(Block::count).containsExactly(1_000, 1_000, 1_000, 1_000, 1_000);
    }

    @Example
    void shouldPutNothingWhereNoRecordWasAdded() {
        BlockRegionWriter writer = writer(false);
        store(writer, 0, 5);
        writer.advance(9L * Trades.LENGTH);
        writer.flush();
        assertThat(values.puts).isOne();
        assertThat(writer.covered()).isEqualTo(9L * Trades.LENGTH);
        store(writer, 9, 11);
        assertThat(blocks()).hasSize(1);
        assertThat(blocks().getFirst().to()).isEqualTo(11L * Trades.LENGTH);
    }

    @Example
    void shouldBeginABlockWhereTheLastOneWasEnded() {
        BlockRegionWriter writer = writer(false);
        assertThat(writer.atBlockEnd()).isTrue();
        store(writer, 0, 5);
        assertThat(writer.atBlockEnd()).isFalse();
        writer.endBlock();
        assertThat(writer.atBlockEnd()).isTrue();
        writer.endBlock();
        store(writer, 5, 8);
        assertThat(blocks()).extracting(Block::to).containsExactly(5L * Trades.LENGTH, 8L * Trades.LENGTH);
    }

    /** A put that failed may still arrive, and would replace a longer block by the shorter one. */
    @Example
    void shouldNotExtendABlockWhosePutHasFailed() {
        BlockRegionWriter writer = writer(true);
        store(writer, 0, 5);
        values.fail(() -> false, () -> true);
        writer.append(Trades.batch(FEED, 5, 7));
        writer.advance(7L * Trades.LENGTH);
        assertThatExceptionOfType(StoreException.class).isThrownBy(writer::flush);
        values.fail(() -> false, () -> false);
        writer.flush();
        byte[] first = blocks().getFirst().bytes();

        store(writer, 7, 9);
        assertThat(blocks()).extracting(Block::count).containsExactly(7, 2);
        assertThat(blocks().getFirst().bytes()).isSameAs(first);
        assertThat(writer.counters().kept().get()).isEqualTo(9);
    }

    /** The writer takes records while a put has failed: they must not become part of the same block. */
    @Example
    void shouldNotExtendABlockWhosePutIsNotStored() {
        BlockRegionWriter writer = writer(true);
        values.fail(() -> true, () -> false);
        writer.append(Trades.batch(FEED, 0, 5));
        writer.advance(5L * Trades.LENGTH);
        assertThatExceptionOfType(StoreException.class).isThrownBy(writer::flush);
        values.fail(() -> false, () -> false);
        store(writer, 5, 9);
        assertThat(blocks()).extracting(Block::count).containsExactly(5, 4);
        assertThat(ids()).isEqualTo(ids(9));
    }

    @Example
    void shouldNotExtendTheBlockOfAnEarlierTerm() {
        store(writer(false), 0, 5);
        BlockRegionWriter next = writer(false);
        assertThat(next.covered()).isEqualTo(5L * Trades.LENGTH);
        store(next, 5, 9);
        assertThat(blocks()).extracting(Block::count).containsExactly(5, 4);
    }

    /** As for a term that begins with other rules after one that was superseded. */
    @Example
    void shouldTakeBatchesOfAnotherSchemaThoughRecordsArePending() {
        BlockRegionWriter writer = writer(false);
        store(writer, 0, 5);
        writer.append(Trades.batch(FEED, 5, 7));
        writer.prepare(Trades.SCHEMA).run();
        open(writer);
        store(writer, 5, 9);
        assertThat(blocks()).extracting(Block::count).containsExactly(5, 4);
        assertThat(ids()).isEqualTo(ids(9));
    }

    /**
     * Whatever is flushed, fails and dies in between: the region holds each record once, in the order of the feed, in
     * blocks that meet.
     */
    @Property(tries = 300)
    void shouldHoldEachRecordOnceWhereverATrickleDies(
            @ForAll long seed, @ForAll boolean shared, @ForAll @IntRange(min = 1, max = 700) int blockRecords) {
        values.stored.clear();
        values.fail(() -> false, () -> false);
        Random random = new Random(seed);
        int lives = 1 + random.nextInt(6);
        int end = 2_000;
        RegionDefinition definition = definition(blockRecords, BlockEncoding.ROWS);
        BlockRegionWriter writer = writer(definition, shared);
        for (int life = 1; life <= lives; life++) {
            if (random.nextBoolean()) {
                open(writer); // the same process again
            } else {
                writer = writer(definition, shared);
            }
            int next = Math.toIntExact(writer.covered() / Trades.LENGTH);
            int until = life == lives ? end : next + random.nextInt(end - next + 1);
            int rarely = 5 + random.nextInt(60);
            values.fail(() -> random.nextInt(rarely) == 0, () -> random.nextInt(rarely) == 0);
            write(writer, random, next, until);
            values.fail(() -> false, () -> false);
            if (life == lives) {
                writer.flush();
            }
        }
        assertThat(ids()).isEqualTo(ids(end));
        assertThat(blocks()).allSatisfy(block -> assertThat(block.count()).isLessThanOrEqualTo(blockRecords));
        long covered = 0;
        for (Block block : blocks()) {
            assertThat(block.from()).isEqualTo(covered);
            covered = block.to();
        }
        assertThat(values.stored.keySet())
                .allSatisfy(key -> assertThat(BlockKey.number((Long) key)).isEqualTo(3));
    }

    private static void write(BlockRegionWriter writer, Random random, int first, int end) {
        for (int next = first; next < end; ) {
            int to = Math.min(end, next + 1 + random.nextInt(random.nextInt(5) == 0 ? 400 : 6));
            RecordBatch batch = Trades.batch(FEED, next, to);
            untilItWorks(() -> writer.append(batch));
            writer.advance((long) to * Trades.LENGTH);
            if (random.nextInt(3) > 0) {
                untilItWorks(writer::flush);
            }
            if (random.nextInt(20) == 0) {
                untilItWorks(writer::flush);
                writer.endBlock();
            }
            next = to;
        }
    }

    private static void untilItWorks(Runnable call) {
        while (true) {
            try {
                call.run();
                return;
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("put");
            }
        }
    }
}
