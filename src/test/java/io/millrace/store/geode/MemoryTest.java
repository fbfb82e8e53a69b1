package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeMemory;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Query;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import io.millrace.store.write.RegionWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.control.ResourceManager;
import org.apache.geode.internal.cache.BucketRegion;
import org.apache.geode.internal.cache.InternalCache;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.apache.geode.internal.cache.RegionEntry;
import org.apache.geode.internal.offheap.MemoryAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MemoryTest {

    private static final int MEGABYTE = 1 << 20;
    private static final int RECORDS = 500_000; // 11.5 MB
    private static final int BLOCK_RECORDS = 250;

    /** Records in the blocks of a writer that stay whatever their age. */
    private static final int NEWEST = Retention.NEWEST_BLOCKS * BLOCK_RECORDS;

    private static final byte[] FEED = Trades.feed(RECORDS);
    private static final Memory ONE_MEGABYTE = new Memory((long) MEGABYTE, false);
    private static final Memory OFF_HEAP = new Memory(null, true);

    /** The same for all tests: Geode gives it to the next that asks. */
    private static final int OFF_HEAP_MEGABYTES = 16;

    private static final Duration AGE = Duration.ofDays(1);

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // set by each test
    private GeodeStore store;

    @AfterEach
    void close() {
        store.close();
    }

    private void open(GeodeMemory memory, RegionDefinition region) {
        store = new GeodeStore(GeodeOptions.inFolder(folder).with(memory));
        store.open(region);
    }

    private static RegionDefinition region(Layout layout, boolean persistent, BlockEncoding encoding, Memory memory) {
        return new RegionDefinition(
                "trades",
                layout,
                0,
                persistent,
                Trades.SCHEMA,
                List.of("id"),
                null,
                BLOCK_RECORDS,
                encoding,
                new Retention(AGE, null),
                memory);
    }

    private RegionWriter writer() {
        return Writers.open(store, "trades", "trades", 0, Trades.SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
    }

    private void write(int first, int end) {
        RegionWriter writer = writer();
        writer.append(Trades.batch(FEED, first, end));
        writer.advance((long) end * Trades.LENGTH);
        writer.flush();
    }

    private static PartitionedRegion partitioned() {
        return (PartitionedRegion) CacheFactory.getAnyInstance().getRegion("trades");
    }

    /** Values that are on disk only. */
    private static long onDiskOnly() {
        long count = 0;
        for (BucketRegion bucket : partitioned().getDataStore().getAllLocalBucketRegions()) {
            for (RegionEntry entry : bucket.getRegionMap().regionEntries()) {
                count += entry.isValueNull() ? 1 : 0;
            }
        }
        return count;
    }

    private void assertAllIsThere(int records) {
        assertThat(store.info("trades").records()).isEqualTo(records);
        assertThat(store.query("trades", new Query("amount >= 0", List.of("id"), List.of("id desc"), 1))
                        .counts()
                        .scanned())
                .isEqualTo(records);
        for (int id = 0; id < records; id += 1 + records / 7) {
            byte[] record = Objects.requireNonNull(store.get("trades", String.valueOf(id)));
            assertThat(Trades.id(record, 0)).isEqualTo(id);
        }
        assertThat(store.get("trades", String.valueOf(records))).isNull();
    }

    @ParameterizedTest
    @CsvSource({"false, ROWS", "true, ROWS", "true, COLUMNS"})
    void shouldKeepOnDiskWhatIsBeyondTheMemoryOfARegion(boolean persistent, BlockEncoding encoding) {
        RegionDefinition region = region(Layout.BLOCKS, persistent, encoding, ONE_MEGABYTE);
        open(GeodeMemory.HEAP, region);
        write(0, RECORDS);

        long onDisk = onDiskOnly();
        assertThat(onDisk).isBetween(100L, RECORDS / BLOCK_RECORDS - 10L);
        assertAllIsThere(RECORDS);
        // What was only asked has not taken the place of what is in memory.
        assertThat(onDiskOnly()).isEqualTo(onDisk);

        if (persistent) {
            store.close();
            open(GeodeMemory.HEAP, region);
            assertThat(writer().covered()).isEqualTo((long) RECORDS * Trades.LENGTH);
            assertAllIsThere(RECORDS);
        }
        store.sweep(System.currentTimeMillis() + AGE.toMillis());
        assertThat(store.info("trades").records()).isEqualTo(NEWEST);
    }

    @Test
    void shouldKeepEntriesOnDiskToo() {
        open(GeodeMemory.HEAP, region(Layout.ENTRIES, false, BlockEncoding.ROWS, ONE_MEGABYTE));
        write(0, 20_000);

        assertThat(onDiskOnly()).isPositive();
        assertAllIsThere(20_000);
        store.sweep(System.currentTimeMillis() + AGE.toMillis());
        assertThat(store.info("trades").records()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldKeepValuesOffTheHeap(Layout layout) {
        open(new GeodeMemory(0, OFF_HEAP_MEGABYTES), region(layout, false, BlockEncoding.ROWS, OFF_HEAP));
        long before = offHeapBytes();
        write(0, 20_000);

        assertThat(offHeapBytes() - before).isGreaterThanOrEqualTo(20_000L * Trades.LENGTH);
        assertAllIsThere(20_000);
        store.sweep(System.currentTimeMillis() + AGE.toMillis());
        long kept = layout == Layout.BLOCKS ? NEWEST : 0;
        assertThat(store.info("trades").records()).isEqualTo(kept);
        assertThat(offHeapBytes() - before).isLessThan(2 * (kept + 100) * Trades.LENGTH);
    }

    @Test
    void shouldRefuseRegionsOffTheHeapWhereThereIsNoMemoryForThem() {
        store = new GeodeStore(GeodeOptions.inFolder(folder));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.open(region(Layout.BLOCKS, false, BlockEncoding.ROWS, OFF_HEAP)))
                .withMessageContaining("Region 'trades'")
                .withMessageContaining("millrace.geode.off-heap-memory");
    }

    @Test
    void shouldRefuseMoreWhileMemoryOffTheHeapIsFull() {
        open(new GeodeMemory(50, OFF_HEAP_MEGABYTES), region(Layout.BLOCKS, false, BlockEncoding.ROWS, OFF_HEAP));
        RegionWriter writer = writer();
        RecordBatch batch = new RecordBatch(Trades.SCHEMA);
        // More than the half of it, until Geode has noticed.
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> {
                    for (int first = 0; ; first = (first + BLOCK_RECORDS) % RECORDS) {
                        writer.append(Trades.batch(batch, FEED, first, first + BLOCK_RECORDS));
                        Thread.sleep(offHeapBytes() > offHeap().getTotalMemory() / 2 ? 100 : 1);
                    }
                })
                .withMessageContaining("low on memory");
        long stored = store.info("trades").records();
        // Geode reuses memory of an earlier test in this process, which may be more than is configured.
        assertThat((double) stored * Trades.LENGTH / offHeap().getTotalMemory()).isBetween(0.44, 0.94);

        // Room is made, and the same batch gets in.
        store.sweep(System.currentTimeMillis() + AGE.toMillis());
        appendOnceThereIsMemory(writer, batch);
        assertThat(store.expired("trades") + store.info("trades").records()).isEqualTo(stored + BLOCK_RECORDS);
    }

    @Test
    void shouldRefuseMoreWhileTheHeapIsFull() {
        open(GeodeMemory.HEAP, region(Layout.BLOCKS, false, BlockEncoding.ROWS, Memory.HEAP));
        ResourceManager resources = CacheFactory.getAnyInstance().getResourceManager();
        RegionWriter writer = writer();
        RecordBatch batch = Trades.batch(FEED, 0, BLOCK_RECORDS);
        System.gc(); // so that what is in use counts for it
        resources.setCriticalHeapPercentage(0.001f);
        await().untilAsserted(() -> assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> writer.append(batch))
                .withMessageContaining("low on memory"));
        assertAllIsThere(0);

        resources.setCriticalHeapPercentage(99);
        appendOnceThereIsMemory(writer, batch);
        assertAllIsThere(BLOCK_RECORDS);
    }

    /** Geode notices free memory some time after it was freed. */
    private static void appendOnceThereIsMemory(RegionWriter writer, RecordBatch batch) {
        await().ignoreException(StoreException.class).until(() -> {
            writer.append(batch);
            return true;
        });
    }

    private static long offHeapBytes() {
        return offHeap().getUsedMemory();
    }

    private static MemoryAllocator offHeap() {
        return ((InternalCache) CacheFactory.getAnyInstance()).getOffHeapStore();
    }
}
