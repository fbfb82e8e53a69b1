package io.millrace.table.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.hash.HostileKeys;
import io.millrace.hash.SeededHash;
import io.millrace.memory.OffHeap;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffHeapCacheTest {

    private static final long MEGABYTE = 1 << 20;

    @TempDir
    Path folder;

    /** A value that tells its key and version, of any length from 16. */
    static byte[] value(long key, long version, int length) {
        byte[] value = new byte[length];
        Random random = new Random(key * 31 + version);
        random.nextBytes(value);
        ByteBuffer.wrap(value).putLong(key).putLong(version);
        return value;
    }

    /** The version of a value, which must be whole and of this key. */
    static long version(long key, byte[] value, int length) {
        ByteBuffer read = ByteBuffer.wrap(value, 0, length);
        assertThat(read.getLong()).isEqualTo(key);
        long version = read.getLong();
        assertThat(Arrays.copyOf(value, length)).isEqualTo(value(key, version, length));
        return version;
    }

    /** A cache of 10,000 values of 100 bytes. */
    private static OffHeapCache filled(CacheOptions options) throws IOException {
        OffHeapCache cache = OffHeapCache.open(options);
        for (long key = 0; key < 10_000; key++) {
            cache.put(key, value(key, 1, 100), 0, 100);
        }
        return cache;
    }

    @Property(tries = 40, seed = "20261121")
    void shouldNeverShowAnythingButTheLastValuePut(@ForAll long seed, @ForAll Eviction eviction) throws IOException {
        Random random = new Random(seed);
        int longest = 16 + random.nextInt(4000);
        OffHeapCache cache =
                OffHeapCache.open(CacheOptions.inMemory(MEGABYTE, longest / 2 + 8, eviction), SeededHash.of(seed));
        CacheReader reader = cache.reader();
        Map<Long, Long> versions = new HashMap<>();
        byte[] read = new byte[longest];
        long keys = 10L + random.nextInt(3_000);
        long refused = 0;
        for (long i = 0; i < 6_000; i++) {
            long key = random.nextLong(keys) * 0x9E3779B97F4A7C15L;
            if (random.nextInt(20) == 0) {
                boolean there = reader.find(key);
                assertThat(cache.remove(key)).isEqualTo(there);
                versions.remove(key);
                assertThat(reader.get(key, read)).isEqualTo(-1);
            } else {
                byte[] value = value(key, i, 16 + random.nextInt(longest - 15));
                boolean put = cache.put(key, value, 0, value.length);
                assertThat(put || eviction == Eviction.NONE).isTrue();
                if (put) {
                    versions.put(key, i);
                    assertThat(version(key, read, reader.get(key, read))).isEqualTo(i);
                } else {
                    refused++;
                }
            }
            long other = random.nextLong(keys) * 0x9E3779B97F4A7C15L;
            int length = reader.get(other, read);
            if (length >= 0) {
                assertThat(versions.get(other)).isEqualTo(version(other, read, length));
            } else if (eviction == Eviction.NONE) {
                assertThat(versions).doesNotContainKey(other);
            }
        }
        long found = 0;
        for (long key : versions.keySet()) {
            found += reader.get(key, read) >= 0 ? 1 : 0;
        }
        CacheStatistics statistics = cache.statistics();
        assertThat(statistics.entries()).isEqualTo(found);
        assertThat(statistics.refused()).isEqualTo(refused);
        if (eviction == Eviction.NONE) {
            assertThat(found).isEqualTo(versions.size());
            assertThat(statistics.evictions()).isZero();
        }
        assertThat(statistics.fill()).isBetween(0.0, 1.0);
        long[] shown = {0};
        cache.forEach((_, _, _) -> shown[0]++);
        assertThat(shown[0]).isEqualTo(found);
    }

    @Test
    void shouldOverwriteTheOldestAndByClockSpareWhatIsRead() throws IOException {
        for (Eviction eviction : new Eviction[] {Eviction.FIFO, Eviction.CLOCK}) {
            OffHeapCache cache = OffHeapCache.open(CacheOptions.inMemory(MEGABYTE, 1000, eviction));
            CacheReader reader = cache.reader();
            byte[] read = new byte[1000];
            for (long key = 0; key < 20_000; key++) {
                cache.put(key, value(key, 0, 1000), 0, 1000);
                if (key % 10 == 0) {
                    for (long hot = 0; hot < 100; hot++) {
                        reader.get(hot, read);
                    }
                }
            }
            long hot = 0;
            for (long key = 0; key < 100; key++) {
                hot += reader.get(key, read) >= 0 ? 1 : 0;
            }
            assertThat(hot).isEqualTo(eviction == Eviction.FIFO ? 0 : 100);
            assertThat(reader.get(19_999, read)).isEqualTo(1000);
            CacheStatistics statistics = cache.statistics();
            assertThat(statistics.evictions()).isEqualTo(20_000 - statistics.entries());
            assertThat(statistics.entries()).isBetween(800L, 1048L);
        }
    }

    @Test
    void shouldHoldNumbersAndTextsThatWereChosenToCollide() throws IOException {
        int entries = 400;
        byte[] value = new byte[16];
        byte[] read = new byte[16];
        OffHeapCache numbers = OffHeapCache.open(CacheOptions.inMemory(MEGABYTE, 16, Eviction.FIFO));
        OffHeapCache texts = OffHeapCache.open(CacheOptions.inMemory(MEGABYTE, 32, Eviction.FIFO));
        byte[][] keys = new byte[entries][16];
        for (int i = 0; i < entries; i++) {
            numbers.put(HostileKeys.withKeyHash((long) i << Integer.SIZE), value, 0, value.length);
            ByteBuffer.wrap(keys[i]).putLong(i).putLong(HostileKeys.textState(i));
            texts.put(keys[i], 0, 16, value, 0, value.length);
        }
        CacheReader numberReader = numbers.reader();
        CacheReader textReader = texts.reader();
        for (int i = 0; i < entries; i++) {
            assertThat(numberReader.get(HostileKeys.withKeyHash((long) i << Integer.SIZE), read))
                    .isEqualTo(value.length);
            assertThat(textReader.get(keys[i], 0, 16, read)).isEqualTo(value.length);
        }
        assertThat(numbers.statistics().evictions()).isZero();
        assertThat(texts.statistics().evictions()).isZero();
    }

    @Test
    void shouldFindEntriesByBytes() throws IOException {
        OffHeapCache cache = OffHeapCache.open(CacheOptions.inMemory(4 * MEGABYTE, 60, Eviction.FIFO));
        CacheReader reader = cache.reader();
        byte[] read = new byte[40];
        for (int i = 0; i < 10_000; i++) {
            byte[] key = ("key " + i).getBytes(StandardCharsets.UTF_8);
            cache.put(key, 0, key.length, value(i, 1, 40), 0, 40);
        }
        for (int i = 0; i < 10_000; i++) {
            byte[] key = ("..key " + i).getBytes(StandardCharsets.UTF_8);
            assertThat(version(i, read, reader.get(key, 2, key.length - 2, read)))
                    .isEqualTo(1);
            assertThat(reader.find(key, 0, key.length)).isFalse();
        }
        byte[] gone = "key 77".getBytes(StandardCharsets.UTF_8);
        assertThat(cache.remove(gone, 0, gone.length)).isTrue();
        assertThat(cache.remove(gone, 0, gone.length)).isFalse();
        assertThat(reader.find(gone, 0, gone.length)).isFalse();
    }

    @Test
    void shouldReadFieldsWhereTheyLie() throws IOException {
        OffHeapCache cache = OffHeapCache.open(CacheOptions.inMemory(MEGABYTE, 24, Eviction.FIFO));
        CacheReader reader = cache.reader();
        cache.put(5, value(5, 77, 24), 0, 24);
        assertThat(reader.find(5)).isTrue();
        assertThat(reader.length()).isEqualTo(24);
        assertThat(reader.getLong(8)).isEqualTo(77);
        assertThat(reader.getInt(12)).isEqualTo(77);
        assertThat(reader.isIntact()).isTrue();
        assertThatThrownBy(() -> reader.getLong(17)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(reader.find(6)).isFalse();
        assertThatThrownBy(() -> reader.getInt(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldNoticeThatWhatItReadWasOverwritten() throws IOException {
        OffHeapCache cache = OffHeapCache.open(CacheOptions.inMemory(MEGABYTE, 1000, Eviction.FIFO));
        CacheReader reader = cache.reader();
        cache.put(5, value(5, 1, 1000), 0, 1000);
        assertThat(reader.find(5)).isTrue();
        assertThat(reader.isIntact()).isTrue();
        for (long key = 100; key < 5_000; key++) {
            cache.put(key, value(key, 1, 1000), 0, 1000);
        }
        assertThat(reader.isIntact()).isFalse();
        assertThat(reader.find(5)).isFalse();
    }

    @Test
    void shouldBeThereAgainAfterClosing() throws IOException {
        Path file = folder.resolve("a.cache");
        CacheOptions options = new CacheOptions(4 * MEGABYTE, 100, Eviction.FIFO, file, 42);
        try (OffHeapCache cache = OffHeapCache.open(options)) {
            for (long key = 0; key < 10_000; key++) {
                cache.put(key, value(key, 3, 100), 0, 100);
            }
        }
        try (OffHeapCache cache = OffHeapCache.open(options)) {
            byte[] read = new byte[100];
            for (long key = 0; key < 10_000; key++) {
                assertThat(version(key, read, cache.reader().get(key, read))).isEqualTo(3);
            }
        }
        assertThatThrownBy(() -> OffHeapCache.open(new CacheOptions(4 * MEGABYTE, 100, Eviction.FIFO, file, 43)))
                .hasMessageContaining("it has other options or another version");
    }

    @Test
    void shouldEmptySegmentsThatAMachineThatWentDownLeftTorn() throws IOException {
        Path file = folder.resolve("a.cache");
        CacheOptions options = new CacheOptions(4 * MEGABYTE, 100, Eviction.FIFO, file, 0);
        OffHeapCache cache = filled(options);
        cache.checkpoint();
        cache.put(77, value(77, 2, 100), 0, 100);
        CacheLayout layout = CacheLayout.of(options, SeededHash.random());
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.seek(CacheLayout.BOOT_AT);
            raw.writeLong(1); // of another boot
            raw.seek(layout.areasAt() + 5 * layout.areaBytes() + 200);
            raw.writeLong(99); // a page that was not written
        }
        OffHeapCache again = OffHeapCache.open(options);
        CacheStatistics statistics = again.statistics();
        MemorySegment memory = OffHeap.open(file);
        int changed = new Segments(memory, layout.withSeedOf(memory)).segment(77);
        assertThat(statistics.dropped()).isEqualTo(changed == 5 ? 1 : 2);
        assertThat(statistics.lost()).isBetween(1L, 2_000L);
        byte[] read = new byte[100];
        long there = 0;
        for (long key = 0; key < 10_000; key++) {
            int length = again.reader().get(key, read);
            if (length >= 0) {
                assertThat(version(key, read, length)).isEqualTo(1);
                there++;
            }
        }
        assertThat(there).isEqualTo(10_000 - statistics.lost());
    }

    @Test
    void shouldEmptyASegmentWhoseStateDidNotComeToDisk() throws IOException {
        Path file = folder.resolve("a.cache");
        CacheOptions options = new CacheOptions(4 * MEGABYTE, 100, Eviction.FIFO, file, 0);
        filled(options);
        CacheLayout layout = CacheLayout.of(options, SeededHash.random());
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.seek(CacheLayout.BOOT_AT);
            raw.writeLong(1); // of another boot
            for (int segment = 0; segment < layout.segments(); segment++) {
                raw.seek(CacheLayout.STATES_AT + segment * layout.stateStride());
                raw.write(new byte[Segments.STATE_BYTES]);
            }
        }
        OffHeapCache again = OffHeapCache.open(options);
        assertThat(again.statistics().dropped()).isEqualTo(layout.segments());
        assertThat(again.reader().find(77)).isFalse();
    }

    @Test
    void shouldRefuseBytesThatAreNotThereAndGoOn() throws IOException {
        Path file = folder.resolve("a.cache");
        CacheOptions options = new CacheOptions(MEGABYTE, 100, Eviction.FIFO, file, 0);
        OffHeapCache cache = OffHeapCache.open(options);
        byte[] value = value(5, 1, 100);
        assertThatThrownBy(() -> cache.put(5, value, 1, 100)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> cache.put(5, value, 0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> cache.put(value, 90, 11, value, 0, 100)).isInstanceOf(IndexOutOfBoundsException.class);
        cache.put(5, value, 0, 100);
        assertThat(OffHeapCache.open(options).statistics().repaired()).isZero();
        assertThat(cache.reader().find(5)).isTrue();
    }

    /** As a writer leaves it that is killed between the head and the count, or between the tail and a slot. */
    @Test
    void shouldRepairASegmentAtWhichAWriterWasKilled() throws IOException {
        Path file = folder.resolve("a.cache");
        CacheOptions options = new CacheOptions(4 * MEGABYTE, 100, Eviction.CLOCK, file, 0);
        filled(options);
        CacheLayout layout = CacheLayout.of(options, SeededHash.random());
        long state = CacheLayout.STATES_AT + 3 * layout.stateStride();
        MemorySegment memory = OffHeap.openForWriting(file);
        long changes = Index.get(memory, state);
        Index.set(memory, state, changes + 1);
        Index.set(memory, state + 24, Index.get(memory, state + 24) - 5);
        long gone = 0;
        for (long word = 0; word < layout.buckets() * 8L; word++) {
            long at = state + Segments.STATE_BYTES + word * 8;
            if (word % 8 == 0) {
                Index.set(memory, at, 9);
            } else if (Index.get(memory, at) == 0 && word % 100 == 3) {
                Index.set(memory, at, Index.slot(1L << 30)); // behind the head
            } else if (Index.get(memory, at) != 0 && gone == 0) {
                Index.set(memory, at, 0);
                gone++;
            }
        }
        OffHeapCache again = OffHeapCache.open(options);
        assertThat(again.statistics().repaired()).isEqualTo(1);
        assertThat(again.statistics().dropped()).isZero();
        assertThat(again.statistics().entries()).isEqualTo(10_000 - gone);
        byte[] read = new byte[100];
        long there = 0;
        for (long key = 0; key < 10_000; key++) {
            int length = again.reader().get(key, read);
            there += length < 0 ? 0 : version(key, read, length);
        }
        assertThat(there).isEqualTo(10_000 - gone);
        for (long key = 10_000; key < 60_000; key++) {
            again.put(key, value(key, 1, 100), 0, 100);
        }
        long[] shown = {0};
        again.forEach((_, _, _) -> shown[0]++);
        assertThat(shown[0]).isEqualTo(again.statistics().entries());
        assertThat(Index.get(memory, state) & 1).isZero();
    }

    @Test
    void shouldTakeASnapshotWhileItIsWritten() throws Exception {
        Path file = folder.resolve("snapshot.cache");
        CacheOptions options = CacheOptions.inMemory(4 * MEGABYTE, 300, Eviction.FIFO);
        OffHeapCache cache = OffHeapCache.open(options);
        Thread writer = new Thread(() -> {
            for (long i = 0; i < 200_000; i++) {
                long key = i % 20_000;
                cache.put(key, value(key, i, 100 + (int) (i % 400)), 0, 100 + (int) (i % 400));
            }
        });
        writer.start();
        while (cache.statistics().puts() < 1_000) {
            Thread.onSpinWait();
        }
        cache.snapshot(file);
        writer.join();
        OffHeapCache copy = OffHeapCache.open(new CacheOptions(4 * MEGABYTE, 300, Eviction.FIFO, file, 0));
        CacheReader reader = copy.reader();
        byte[] read = new byte[500];
        long found = 0;
        for (long key = 0; key < 20_000; key++) {
            int length = reader.get(key, read);
            if (length >= 0) {
                assertThat(version(key, read, length) % 20_000).isEqualTo(key);
                found++;
            }
        }
        assertThat(found).isEqualTo(copy.statistics().entries()).isPositive();
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }
}
