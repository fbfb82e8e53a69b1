package io.millrace.table.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RawBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Readers beside writers that overwrite what they read, over and over: every word of a value tells its key and its
 * version, so that a value of two versions, or of another key, is distinguished from a whole one.
 */
class CacheConcurrencyTest {

    private static final int KEYS = 600;
    private static final int PUTS = 200_000;
    private static final int LONGEST_WORDS = 250;

    private static long word(long key, long version) {
        return ((key << 40) | version) * 0x9E3779B97F4A7C15L;
    }

    private static byte[] value(long key, long version, int words, byte[] into) {
        for (int i = 0; i < words; i++) {
            RawBytes.putLong(into, i * 8, word(key, version));
        }
        return into;
    }

    @ParameterizedTest
    @EnumSource(names = {"FIFO", "CLOCK"})
    void shouldNeverShowATornOrForeignValue(Eviction eviction) throws Exception {
        OffHeapCache cache = OffHeapCache.open(CacheOptions.inMemory(16 * (1 << 16), 1000, eviction));
        AtomicBoolean done = new AtomicBoolean();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<Long>> writers = new ArrayList<>();
            for (int writer = 0; writer < 2; writer++) {
                int number = writer;
                writers.add(threads.submit(() -> write(cache, number)));
            }
            List<Callable<Long>> reading =
                    List.of(() -> copy(cache, 2, done), () -> readInPlace(cache, 3, done), () -> copy(cache, 4, done));
            List<Future<Long>> readers = new ArrayList<>();
            reading.forEach(reader -> readers.add(threads.submit(reader)));
            try {
                for (Future<Long> writer : writers) {
                    writer.get();
                }
            } finally {
                done.set(true);
            }
            for (Future<Long> reader : readers) {
                assertThat(reader.get()).isPositive();
            }
        }
        CacheStatistics statistics = cache.statistics();
        assertThat(statistics.evictions()).isGreaterThan(PUTS / 10);
        assertThat(statistics.hits()).isPositive();
        assertThat(statistics.puts()).isEqualTo(2L * PUTS);
    }

    /** Each writer has keys of its own, so that it knows what their last version is. */
    private static long write(OffHeapCache cache, int writer) {
        SplittableRandom random = new SplittableRandom(writer);
        CacheReader reader = cache.reader();
        byte[] value = new byte[LONGEST_WORDS * 8];
        byte[] read = new byte[LONGEST_WORDS * 8];
        for (long version = 1; version <= PUTS; version++) {
            long key = random.nextInt(KEYS) * 2L + writer;
            int words = 1 + random.nextInt(LONGEST_WORDS);
            cache.put(key, value(key, version, words, value), 0, words * 8);
            if (version % 16 == 0) {
                int length = reader.get(key, read);
                // The other writer may have filled the whole segment meanwhile.
                assertThat(length).isIn(words * 8, -1);
                assertThat(length < 0 || RawBytes.getLong(read, 0) == word(key, version))
                        .isTrue();
            }
            if (version % 64 == 0) {
                cache.remove(random.nextInt(KEYS) * 2L + writer);
            }
        }
        return PUTS;
    }

    /** Reads until the writers have ended, and something in any case: they may end before a reader begins. */
    private static long copy(OffHeapCache cache, int seed, AtomicBoolean done) {
        CacheReader reader = cache.reader();
        SplittableRandom random = new SplittableRandom(seed);
        byte[] read = new byte[LONGEST_WORDS * 8];
        long seen = 0;
        while (!done.get() || seen == 0) {
            long key = random.nextInt(2 * KEYS);
            int length = reader.get(key, read);
            if (length >= 0) {
                long first = RawBytes.getLong(read, 0);
                requireOf(key, first);
                for (int i = 8; i < length; i += 8) {
                    if (RawBytes.getLong(read, i) != first) {
                        throw new AssertionError("torn value of key " + key + " at " + i);
                    }
                }
                seen++;
            }
        }
        return seen;
    }

    private static long readInPlace(OffHeapCache cache, int seed, AtomicBoolean done) {
        CacheReader reader = cache.reader();
        SplittableRandom random = new SplittableRandom(seed);
        long seen = 0;
        while (!done.get() || seen == 0) {
            long key = random.nextInt(2 * KEYS);
            if (reader.find(key)) {
                long first = reader.getLong(0);
                long last = reader.getLong(reader.length() - 8);
                if (reader.isIntact()) {
                    requireOf(key, first);
                    assertThat(last).isEqualTo(first);
                    seen++;
                }
            }
        }
        return seen;
    }

    private static void requireOf(long key, long word) {
        long plain = word * 0xF1DE83E19937733DL; // undoes the multiplication
        if (plain >>> 40 != key || (plain & ((1L << 40) - 1)) == 0) {
            throw new AssertionError("value of another key than " + key);
        }
    }
}
