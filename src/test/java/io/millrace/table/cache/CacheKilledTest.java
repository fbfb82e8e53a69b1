package io.millrace.table.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.ChildJvm;
import io.millrace.TestBudget;
import io.millrace.TestTimeout;
import io.millrace.codec.RawBytes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process, as {@code kill -9} does it, while two of its threads put, and looks at what it left. */
class CacheKilledTest {

    private static final int KILLS = TestBudget.of(8);
    private static final int KEYS = 40_000;
    private static final int LENGTH = 128;

    @TempDir
    Path folder;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldHoldWhatWasPutAndNothingTorn() throws Exception {
        Path file = folder.resolve("killed.cache");
        Random random = new Random(20_261_121);
        int repaired = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            long[] reported = runAndKill(file, 200_000 + random.nextInt(2_000_000));
            OffHeapCache cache = OffHeapCache.open(Putting.options(file));
            CacheStatistics statistics = cache.statistics();
            repaired += statistics.repaired();
            assertThat(statistics.dropped()).isZero();
            assertThat(statistics.repaired()).as("one for each writer at most").isLessThanOrEqualTo(2);
            requireAll(cache, reported);
        }
        System.out.println("segments at which a writer was killed: " + repaired + " in " + KILLS + " kills");
    }

    /** Whatever a writer reported is there, in that version or a later one; and no value is of another key. */
    private static void requireAll(OffHeapCache cache, long[] reported) {
        CacheReader reader = cache.reader();
        byte[] read = new byte[LENGTH];
        long entries = 0;
        for (long key = 0; key < KEYS; key++) {
            int length = reader.get(key, read);
            long count = reported[(int) (key % 2)];
            boolean wasPut = key / 2 < count;
            assertThat(length).as("key %d", key).isIn(wasPut ? List.of(LENGTH) : List.of(LENGTH, -1));
            if (length >= 0) {
                entries++;
                long version = version(key, read);
                assertThat(version % (KEYS / 2)).isEqualTo(key / 2);
                assertThat(version + KEYS / 2)
                        .as("key %d: not an older one", key)
                        .isGreaterThanOrEqualTo(count);
            }
        }
        assertThat(cache.statistics().entries()).isEqualTo(entries);
    }

    /** The version of a value, which must be whole and of this key. */
    private static long version(long key, byte[] value) {
        long version = RawBytes.getLong(value, 8);
        for (int i = 0; i < LENGTH; i += 16) {
            assertThat(RawBytes.getLong(value, i)).isEqualTo(key);
            assertThat(RawBytes.getLong(value, i + 8)).isEqualTo(version);
        }
        return version;
    }

    /** How many puts each writer reported before the process was killed. */
    private static long[] runAndKill(Path file, int puts) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(ChildJvm.command(Putting.class, file.toString()))
                .redirectErrorStream(true)
                .start();
        long[] reported = new long[2];
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            while (reported[0] + reported[1] < puts) {
                String line = lines.readLine();
                assertThat(line).as("the process goes on").isNotNull();
                note(line, reported);
            }
            process.toHandle().destroyForcibly(); // unlike Process, leaves what it wrote to be read
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line, reported);
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(TestTimeout.MAX)).isTrue();
        return reported;
    }

    /** Lines are whole unless the process was killed in the middle of one. */
    private static void note(String line, long[] reported) {
        if (line.matches("[01] \\d+;")) {
            reported[line.charAt(0) - '0'] = Long.parseLong(line.substring(2, line.length() - 1));
        }
    }

    /**
     * Puts until it is killed, in two threads, and tells after each thousand puts how many there were. Neither runs far
     * ahead of the other, whose entries would be the oldest then, and make room.
     */
    static final class Putting {

        private static final int AHEAD = 10_000;

        private Putting() {}

        static CacheOptions options(Path file) {
            return new CacheOptions(16 << 20, LENGTH, Eviction.FIFO, file, 7);
        }

        static void main(String[] args) throws IOException {
            OffHeapCache cache = OffHeapCache.open(options(Path.of(args[0])));
            CyclicBarrier pace = new CyclicBarrier(2);
            Thread.setDefaultUncaughtExceptionHandler((_, e) -> {
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
            });
            for (int writer = 0; writer < 2; writer++) {
                int number = writer;
                new Thread(() -> put(cache, number, pace)).start();
            }
        }

        private static void put(OffHeapCache cache, int writer, CyclicBarrier pace) {
            byte[] value = new byte[LENGTH];
            for (long version = 0; ; version++) {
                long key = version % (KEYS / 2) * 2 + writer;
                for (int i = 0; i < LENGTH; i += 16) {
                    RawBytes.putLong(value, i, key);
                    RawBytes.putLong(value, i + 8, version);
                }
                cache.put(key, value, 0, LENGTH);
                if (version % 1000 == 999) {
                    System.out.println(writer + " " + (version + 1) + ";");
                }
                if (version % AHEAD == 0) {
                    await(pace);
                }
            }
        }

        private static void await(CyclicBarrier pace) {
            try {
                pace.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
