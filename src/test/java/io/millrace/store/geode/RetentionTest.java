package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.expiry.Expiry;
import io.millrace.store.geode.region.StoredBlock;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.BlockKey;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import io.millrace.store.write.RegionWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.apache.geode.cache.CacheFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetentionTest {

    private static final int BLOCK_RECORDS = 4;
    private static final int BLOCK_BYTES = BlockFormat.HEADER_LENGTH + BLOCK_RECORDS * Trades.LENGTH;
    private static final int BLOCK_SIZE = BLOCK_BYTES + StoredBlock.OVERHEAD_BYTES;

    /** Records in the blocks of a writer that stay whatever their age. */
    private static final int NEWEST = Retention.NEWEST_BLOCKS * BLOCK_RECORDS;

    private static final byte[] FEED = Trades.feed(2000);

    /** Far longer than a test takes, so that nothing goes but when a test says that it is later. */
    private static final Duration AGE = Duration.ofDays(1);

    private static final Retention BY_AGE = new Retention(AGE, null);

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private GeodeStore store;

    @BeforeEach
    void open() {
        store = new GeodeStore(GeodeOptions.inFolder(folder));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static RegionDefinition blocks(String name, boolean persistent, Retention retention) {
        return new RegionDefinition(
                name,
                Layout.BLOCKS,
                0,
                persistent,
                Trades.SCHEMA,
                List.of("id"),
                null,
                BLOCK_RECORDS,
                BlockEncoding.ROWS,
                retention,
                Memory.HEAP);
    }

    private static RegionDefinition entries(String name, boolean persistent, Retention retention) {
        return new RegionDefinition(
                name,
                Layout.ENTRIES,
                0,
                persistent,
                Trades.SCHEMA,
                List.of("id"),
                null,
                1,
                BlockEncoding.ROWS,
                retention,
                Memory.HEAP);
    }

    private RegionWriter writer(String region, String pipeline) {
        return Writers.open(store, region, pipeline, 0, Trades.SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
    }

    private static void write(RegionWriter writer, int first, int end) {
        writer.append(Trades.batch(FEED, first, end));
        writer.advance((long) end * Trades.LENGTH);
        writer.flush();
    }

    private static List<Long> ids(long first, long end) {
        return LongStream.range(first, end).boxed().toList();
    }

    private void sweepWhenAllIsOld() {
        store.sweep(System.currentTimeMillis() + AGE.toMillis());
    }

    @Test
    void shouldKeepOfWhatIsOldTheNewestBlocksOfEachWriter() {
        store.open(blocks("trades", false, BY_AGE));
        write(writer("trades", "one"), 0, 200);
        write(writer("trades", "two"), 0, 10);

        store.sweep(System.currentTimeMillis());
        assertThat(StoredBlocks.ids("trades", "one", 0)).isEqualTo(ids(0, 200));

        sweepWhenAllIsOld();
        assertThat(StoredBlocks.ids("trades", "one", 0)).isEqualTo(ids(200 - NEWEST, 200));
        assertThat(StoredBlocks.ids("trades", "two", 0)).isEqualTo(ids(0, 10));
        assertThat(store.expired("trades")).isEqualTo(200 - NEWEST);
        assertThat(store.info("trades").expired()).isEqualTo(200 - NEWEST);
        assertThat(store.info("trades").records()).isEqualTo(NEWEST + 10);
    }

    @Test
    void shouldKeepWhatIsYoungerThanTheAge() throws InterruptedException {
        store.open(blocks("trades", false, BY_AGE));
        RegionWriter writer = writer("trades", "trades");
        write(writer, 0, 60);
        long first = System.currentTimeMillis();
        while (System.currentTimeMillis() == first) {
            Thread.sleep(1);
        }
        write(writer, 60, 260);

        store.sweep(first + AGE.toMillis());

        assertThat(StoredBlocks.ids("trades", "trades", 0)).isEqualTo(ids(60, 260));
    }

    @Test
    void shouldLetTheOldestGoWhereThereAreTooManyBytes() {
        store.open(blocks("trades", false, new Retention(null, 50L * BLOCK_SIZE)));
        RegionWriter writer = writer("trades", "trades");
        write(writer, 0, 50 * BLOCK_RECORDS);
        store.sweep(System.currentTimeMillis());
        assertThat(store.expired("trades")).isZero();

        write(writer, 50 * BLOCK_RECORDS, 80 * BLOCK_RECORDS);
        store.sweep(System.currentTimeMillis());

        assertThat(StoredBlocks.ids("trades", "trades", 0)).isEqualTo(ids(30 * BLOCK_RECORDS, 80 * BLOCK_RECORDS));
        assertThat(store.info("trades").valueBytes()).isEqualTo(50L * BLOCK_BYTES);
    }

    /** Of a value of a single record, most of the memory is that of Geode. */
    @Test
    void shouldCountTheOverheadOfEachBlock() {
        store.open(blocks("trades", false, new Retention(null, 60L * BLOCK_SIZE)));
        RegionWriter writer = writer("trades", "trades");
        for (int i = 0; i < 300; i++) {
            write(writer, i, i + 1);
            writer.endBlock();
        }
        store.sweep(System.currentTimeMillis());

        int blocks = 60 * BLOCK_SIZE / (StoredBlock.OVERHEAD_BYTES + BlockFormat.HEADER_LENGTH + Trades.LENGTH);
        assertThat(StoredBlocks.ids("trades", "trades", 0)).isEqualTo(ids(300 - blocks, 300));
    }

    /** As on a machine with too few processors: the thread of retention never runs. */
    @Test
    void shouldHoldTheBoundWithoutTheThreadOfRetention() throws InterruptedException {
        int blocks = 400;
        store.open(blocks("trades", false, new Retention(null, (long) blocks * BLOCK_SIZE)));
        CountDownLatch occupied = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        store.sweeper().add("other", new Expiry() {
            @Override
            public Duration interval() {
                return Duration.ofMillis(1);
            }

            @Override
            public void run(long now) {
                occupied.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        occupied.await();
        RegionWriter writer = writer("trades", "trades");
        byte[] feed = Trades.feed(5 * blocks * BLOCK_RECORDS);
        long most = 0;
        long least = Long.MAX_VALUE;
        int step = 5 * BLOCK_RECORDS;
        for (int first = 0; first < 5 * blocks * BLOCK_RECORDS; first += step) {
            writer.append(Trades.batch(feed, first, first + step));
            writer.flush();
            long bytes = store.info("trades").valueBytes();
            most = Math.max(most, bytes);
            if (first > 2 * blocks * BLOCK_RECORDS) {
                least = Math.min(least, bytes);
            }
        }
        // Before the thread of retention runs: it would remove blocks between the two reads.
        long accounted = store.expired("trades") + store.info("trades").records();
        end.countDown();

        assertThat(most).isLessThanOrEqualTo((long) (1.1 * blocks * BLOCK_BYTES));
        // Nothing is removed that the bound allows.
        assertThat(least).isGreaterThanOrEqualTo((long) blocks * BLOCK_BYTES);
        assertThat(accounted).isEqualTo(5L * blocks * BLOCK_RECORDS);
    }

    /** None of the newest blocks may go: the bound can't hold, and must not stop the writer. */
    @Test
    void shouldGoOnWritingWhereTheNewestBlocksExceedTheBound() {
        store.open(blocks("trades", false, new Retention(null, 10L * BLOCK_SIZE)));
        write(writer("trades", "trades"), 0, 2000);
        store.sweep(System.currentTimeMillis());
        assertThat(StoredBlocks.ids("trades", "trades", 0)).isEqualTo(ids(2000 - NEWEST, 2000));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 900, 1000})
    void shouldHoldEachRecordOnceThatCameAfterWhatWentWhereTheFeedIsReadAgain(int replayedFrom) {
        store.open(blocks("trades", true, BY_AGE));
        write(writer("trades", "trades"), 0, 1000);
        sweepWhenAllIsOld();
        assertThat(StoredBlocks.ids("trades", "trades", 0)).isEqualTo(ids(1000 - NEWEST, 1000));
        store.close();

        open();
        store.open(blocks("trades", true, BY_AGE));
        RegionWriter again = writer("trades", "trades");
        assertThat(again.covered()).isEqualTo(1000L * Trades.LENGTH);
        write(again, replayedFrom, 1100);

        assertThat(StoredBlocks.ids("trades", "trades", 0)).isEqualTo(ids(1000 - NEWEST, 1100));
    }

    @Test
    void shouldDistinguishExpiredBlocksFromSuchAsNeverCame() {
        store.open(blocks("trades", false, BY_AGE));
        int end = 320 - BlockKey.MAX_IN_FLIGHT * BLOCK_RECORDS;
        RegionWriter first = writer("trades", "trades");
        write(first, 0, end);
        first.append(Trades.batch(FEED, end, 320));
        sweepWhenAllIsOld();
        long newest = Writers.firstKey("trades", "trades", 0) + 320 / BLOCK_RECORDS - 1;
        long settled = newest - BlockKey.MAX_IN_FLIGHT;

        // The oldest of so many puts in flight failed as the writer died, and so it happens to the next writer.
        StoredBlocks.region("trades").remove(settled + 1);
        RegionWriter second = writer("trades", "trades");
        assertThat(second.covered()).isEqualTo((long) end * Trades.LENGTH);
        second.append(Trades.batch(FEED, 0, end + 2 * BLOCK_RECORDS));
        StoredBlocks.region("trades").remove(settled + 1);
        RegionWriter third = writer("trades", "trades");
        assertThat(third.covered()).isEqualTo((long) end * Trades.LENGTH);
        write(third, 0, 400);

        assertThat(StoredBlocks.ids("trades", "trades", 0)).isEqualTo(ids(320 - NEWEST, 400));
    }

    @Test
    void shouldKeepAPositionWithoutRecords() {
        store.open(blocks("trades", true, BY_AGE));
        RegionWriter writer = writer("trades", "trades");
        write(writer, 0, 200);
        writer.advance(500L * Trades.LENGTH);
        writer.flush();

        sweepWhenAllIsOld();

        assertThat(StoredBlocks.ids("trades", "trades", 0)).isEqualTo(ids(200 - NEWEST, 200));
        assertThat(writer("trades", "trades").covered()).isEqualTo(500L * Trades.LENGTH);
    }

    @Test
    void shouldKnowAfterARestartWhenBlocksWereStored() throws InterruptedException {
        store.open(blocks("trades", true, BY_AGE));
        write(writer("trades", "trades"), 0, 200);
        long stored = System.currentTimeMillis();
        store.close();
        while (System.currentTimeMillis() < stored + 10) {
            Thread.sleep(1);
        }

        open();
        store.open(blocks("trades", true, BY_AGE));
        store.sweep(stored + AGE.toMillis());

        assertThat(StoredBlocks.ids("trades", "trades", 0)).isEqualTo(ids(200 - NEWEST, 200));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLetOldEntriesGoAndKeepThePosition(boolean persistent) {
        store.open(entries("latest", persistent, BY_AGE));
        RegionWriter writer = writer("latest", "trades");
        write(writer, 0, 100);
        sweepWhenAllIsOld();
        assertThat(store.info("latest").records()).isZero();
        assertThat(store.expired("latest")).isEqualTo(100);
        write(writer, 100, 110);
        if (persistent) {
            store.close();
            open();
            store.open(entries("latest", true, BY_AGE));
        }

        RegionWriter again = writer("latest", "trades");
        assertThat(again.covered()).isEqualTo(110L * Trades.LENGTH);
        write(again, 90, 120);
        assertThat(store.query("latest", new Query(null, List.of("id"), List.of("id"), 100))
                        .records())
                .extracting(record -> record.get("id"))
                .isEqualTo(ids(100, 120));
    }

    @Test
    void shouldKeepAnEntryThatWasPutAgain() throws InterruptedException {
        store.open(entries("latest", false, BY_AGE));
        RegionWriter writer = writer("latest", "trades");
        write(writer, 0, 100);
        long first = System.currentTimeMillis();
        while (System.currentTimeMillis() == first) {
            Thread.sleep(1);
        }
        writer.append(Trades.batch(FEED, 100, 101));
        writer.append(Trades.batch(FEED, 40, 41));
        writer.flush();

        store.sweep(first + AGE.toMillis());

        assertThat(store.query("latest", new Query(null, List.of("id"), List.of("id"), 100))
                        .records())
                .extracting(record -> record.get("id"))
                .containsExactly(40L, 100L);
    }

    @Test
    void shouldAnswerQueriesWhileBlocksGo() {
        store.open(blocks("trades", false, new Retention(null, 20L * BLOCK_SIZE)));
        RegionWriter writer = writer("trades", "trades");
        write(writer, 0, 10);
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Integer> asking = CompletableFuture.supplyAsync(() -> {
            int asked = 0;
            do {
                QueryResult result = store.query("trades", new Query("amount > 0", List.of(), List.of("id desc"), 10));
                assertThat(result.records())
                        .hasSizeLessThanOrEqualTo(10)
                        .isSortedAccordingTo(
                                Comparator.comparingLong(record -> -(long) Objects.requireNonNull(record.get("id"))));
                assertThat(result.counts().failed()).isZero();
                assertThat(store.info("trades").records()).isNotNegative();
                asked++;
            } while (!done.get());
            return asked;
        });
        for (int first = 10; first < 2000; first += 10) {
            write(writer, first, first + 10);
            store.sweep(System.currentTimeMillis());
        }
        done.set(true);

        assertThat(asking.join()).isPositive();
        assertThat(store.expired("trades")).isGreaterThan(1500);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldDropWhatIsOldByItself(Layout layout) {
        Retention second = new Retention(Duration.ofSeconds(1), null);
        store.open(layout == Layout.BLOCKS ? blocks("short", false, second) : entries("short", false, second));
        write(writer("short", "trades"), 0, 100);

        await().until(() -> store.expired("short") >= 100 - NEWEST);
    }

    @Test
    void shouldGiveBackTheDisk() {
        int records = 5_000;
        int blocks = 2 * Retention.NEWEST_BLOCKS + 10;
        RegionDefinition definition = new RegionDefinition(
                "large",
                Layout.BLOCKS,
                0,
                true,
                Trades.SCHEMA,
                List.of(),
                null,
                records,
                BlockEncoding.ROWS,
                BY_AGE,
                Memory.HEAP);
        store.open(definition);
        RegionWriter writer = writer("large", "trades");
        byte[] feed = Trades.feed(blocks * records);
        writer.append(Trades.batch(feed, 0, blocks * records));
        writer.flush();
        List<String> full = filesOfValues();
        assertThat(full).isNotEmpty();
        CacheFactory.getAnyInstance().findDiskStore("millrace").forceRoll();

        sweepWhenAllIsOld();

        await().until(() -> filesOfValues().stream().noneMatch(full::contains));
        assertThat(StoredBlocks.ids("large", "trades", 0))
                .isEqualTo(ids((blocks - Retention.NEWEST_BLOCKS) * (long) records, blocks * (long) records));
    }

    private List<String> filesOfValues() {
        return List.of(Objects.requireNonNull(folder.toFile().list((_, name) -> name.endsWith(".crf"))));
    }
}
