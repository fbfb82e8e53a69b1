package io.millrace.store.geode.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.geode.cache.Cache;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.PartitionAttributesFactory;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.RegionShortcut;
import org.apache.geode.internal.cache.BucketRegion;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntryTableTest {

    private static Cache cache;

    private Region<Object, byte[]> region;
    private LocalValues values;

    @BeforeAll
    static void open() {
        Properties properties = new Properties();
        properties.setProperty("mcast-port", "0");
        properties.setProperty("log-level", "error");
        cache = new CacheFactory(properties).create();
    }

    @AfterAll
    static void close() {
        cache.close();
    }

    @BeforeEach
    void create() {
        region = cache.<Object, byte[]>createRegionFactory(RegionShortcut.PARTITION)
                .setPartitionAttributes(new PartitionAttributesFactory<Object, byte[]>()
                        .setTotalNumBuckets(1)
                        .create())
                .create("entries");
        values = new LocalValues(region);
    }

    @AfterEach
    void destroy() {
        region.destroyRegion();
    }

    private void put(Object key) {
        region.put(key, value(key));
    }

    private static byte[] value(Object key) {
        return String.valueOf(key).getBytes(StandardCharsets.UTF_8);
    }

    private BucketRegion bucket() {
        return ((PartitionedRegion) (Region<?, ?>) region).getDataStore().getLocalBucketById(0);
    }

    /** Reads from a place on, and returns the place reached. */
    private long read(long place, int entries, List<Object> keys) {
        return values.read(bucket(), place, entries, (key, value) -> {
            if (!Arrays.equals(value, value(key))) {
                throw new AssertionError("value of " + key);
            }
            keys.add(key);
        });
    }

    private List<Object> readAll(int entries) {
        List<Object> keys = new ArrayList<>();
        for (long place = 0; place < LocalValues.END; ) {
            long next = read(place, entries, keys);
            assertThat(next).isGreaterThan(place);
            place = next;
        }
        return keys;
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 1000", "17, 1", "1000, 1", "1000, 30", "50000, 7", "50000, 1024", "50000, 2147483647"})
    void shouldReadEachEntryOnce(int count, int entries) {
        Set<Object> keys = LongStream.range(0, count)
                .mapToObj(i -> i % 2 == 0 ? (Object) (i * i) : "key " + i)
                .collect(Collectors.toSet());
        keys.forEach(this::put);
        List<Object> read = readAll(entries);
        assertThat(read).hasSameSizeAs(keys);
        assertThat(new HashSet<>(read).equals(keys)).isTrue();
    }

    @Test
    void shouldReadAnEmptyBucket() {
        put(1L);
        region.remove(1L);
        assertThat(readAll(10)).isEmpty();
    }

    @Test
    void shouldReadAboutAsManyEntriesAsAskedFor() {
        IntStream.range(0, 100_000).forEach(this::put);
        List<Integer> sizes = new ArrayList<>();
        for (long place = 0; place < LocalValues.END; ) {
            List<Object> keys = new ArrayList<>();
            place = read(place, 1000, keys);
            sizes.add(keys.size());
        }
        assertThat(sizes)
                .hasSizeBetween(100, 200)
                .allSatisfy(size -> assertThat(size).isBetween(400, 1300));
    }

    /** These texts have the same hash. */
    @Test
    void shouldReadEntriesInTheSamePlace() {
        List<Object> keys = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            StringBuilder text = new StringBuilder();
            for (int bit = 0; bit < 8; bit++) {
                text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            keys.add(text.toString());
        }
        keys.forEach(this::put);
        assertThat(keys.stream().map(Object::hashCode).distinct()).hasSize(1);
        assertThat(readAll(1)).containsExactlyInAnyOrderElementsOf(keys);
    }

    /** Tables grow between two ranges, or have become larger on another member than on the one that was read before. */
    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1000})
    void shouldGoOnInATableOfAnotherSize(int entries) {
        int count = 2000;
        IntStream.range(0, count).forEach(this::put);
        List<Object> keys = new ArrayList<>();
        int added = count;
        for (long place = 0; place < LocalValues.END; ) {
            place = read(place, entries, keys);
            if (keys.size() > count / 4 && added < 100_000) {
                for (int i = 0; i < 49_000; i++) {
                    put(added++);
                }
            }
        }
        Set<Object> distinct = new HashSet<>(keys);
        assertThat(distinct).hasSameSizeAs(keys);
        assertThat(IntStream.range(0, count).allMatch(distinct::contains)).isTrue();
    }

    @Test
    void shouldReadWhatStaysOnceWhileOthersAreWrittenAndRemoved() throws InterruptedException {
        Set<Object> stay = new TreeSet<>(LongStream.range(0, 5000).boxed().toList());
        stay.forEach(this::put);
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong rounds = new AtomicLong();
        Thread writer = Thread.ofPlatform().start(() -> {
            for (long i = 5000; !over.get(); i++) {
                put(i);
                if (i > 30_000) {
                    region.remove(i - 25_000); // leaves 25,000 others
                }
                if (i % 1000 == 0) {
                    rounds.incrementAndGet();
                }
            }
        });
        try {
            for (int i = 0; i < 10; i++) {
                List<Object> keys = readAll(100);
                assertThat(keys.stream().filter(stay::contains))
                        .hasSameSizeAs(stay)
                        .doesNotHaveDuplicates();
                long before = rounds.get();
                await().pollInterval(1, TimeUnit.MILLISECONDS).until(() -> rounds.get() > before);
            }
        } finally {
            over.set(true);
            writer.join(TestTimeout.MAX);
        }
    }
}
