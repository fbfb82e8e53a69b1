package io.millrace.table.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.hash.SeededHash;
import io.millrace.memory.OffHeap;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** One segment, whose index is often too small for what is put, under the rules that hold between its parts. */
class SegmentsTest {

    private static final long CAPACITY = 1 << 20;
    private static final int SEGMENT = 3;
    private static final int LARGEST = (1 << 16) - Entry.HEADER_BYTES;

    private final byte[] value = new byte[LARGEST];

    /** What a test works on. */
    private static final class Bench {
        private final CacheLayout layout;
        private final MemorySegment memory;
        private final Segments segments;
        private final SegmentWriter writer;
        private final SegmentChecks checks;

        private Bench(int averageBytes, Eviction eviction, SeededHash hash) {
            layout = CacheLayout.of(CacheOptions.inMemory(CAPACITY, averageBytes, eviction), hash);
            memory = OffHeap.allocate(layout.length());
            segments = new Segments(memory, layout);
            writer = new SegmentWriter(segments, memory, layout);
            checks = new SegmentChecks(segments, memory, layout);
        }

        /** The version of a key's value, or -1. */
        private long version(long key) {
            long place = segments.find(SEGMENT, key, null, 0, 0);
            if (place < 0) {
                return -1;
            }
            assertThat(segments.isIntact(SEGMENT, place)).isTrue();
            long at = segments.at(SEGMENT, place);
            int length = Entry.valueLength(memory, at);
            ByteBuffer read = memory.asSlice(at + Entry.HEADER_BYTES, length).asByteBuffer();
            assertThat(read.getLong()).isEqualTo(key);
            return read.getLong();
        }

        private void requireRules() {
            int[] elsewhere = new int[layout.buckets()];
            int[] counted = new int[layout.buckets()];
            long entries = 0;
            for (int bucket = 0; bucket < layout.buckets(); bucket++) {
                long bucketAt = segments.indexAt(SEGMENT) + (long) bucket * Index.BUCKET_BYTES;
                long head = Index.get(memory, bucketAt);
                counted[bucket] = (int) Index.elsewhere(head);
                for (int slot = 1; slot <= Index.SLOTS; slot++) {
                    long word = Index.get(memory, bucketAt + slot * 8L);
                    long tag = (head >>> (slot * 8)) & 0xFF;
                    if (word == 0) {
                        assertThat(tag).isEqualTo(Index.EMPTY);
                        continue;
                    }
                    entries++;
                    long place = Index.placeOf(word);
                    assertThat(segments.isIntact(SEGMENT, place)).isTrue();
                    long hash = segments.hashAt(SEGMENT, place);
                    assertThat(tag).isEqualTo(Index.tag(hash));
                    int home = (int) Index.bucket(hash, layout.buckets());
                    assertThat(bucket - home).isBetween(0, Index.WINDOW - 1);
                    elsewhere[home] += bucket > home ? 1 : 0;
                }
            }
            assertThat(counted).isEqualTo(elsewhere);
            assertThat(segments.entries(SEGMENT)).isEqualTo(entries);
            assertThat(segments.used(SEGMENT)).isBetween(0L, layout.areaBytes());
            long[] shown = {0};
            segments.forEach(SEGMENT, _ -> shown[0]++);
            assertThat(shown[0]).isEqualTo(entries);
        }
    }

    @Property(tries = 200)
    void shouldKeepItsRulesHoweverFullItIs(
            @ForAll long seed,
            @ForAll Eviction eviction,
            @ForAll @IntRange(min = 1, max = 60) int crowding,
            @ForAll boolean large)
            throws Exception {
        Random random = new Random(seed);
        int longest = large ? LARGEST : 16 + random.nextInt(200);
        Bench bench = new Bench(longest * crowding, eviction, SeededHash.of(seed));
        Map<Long, Long> versions = new HashMap<>();
        long keys = 1 + random.nextLong(3_000);
        Arrays.fill(value, (byte) 0x7F); // read as a length, it leads far away
        int steps = large ? 200 : 3_000;
        for (long step = 0; step < steps; step++) {
            long key = random.nextLong(keys);
            if (random.nextInt(10) == 0) {
                boolean there = bench.version(key) >= 0;
                assertThat(bench.writer.remove(SEGMENT, key, null, 0, 0)).isEqualTo(there);
                assertThat(bench.version(key)).isEqualTo(-1);
                versions.remove(key);
            } else {
                ByteBuffer.wrap(value).putLong(key).putLong(step);
                int length = 16 + random.nextInt(longest - 15);
                boolean put = bench.writer.put(SEGMENT, key, null, 0, 0, value, 0, length);
                assertThat(put || eviction == Eviction.NONE).isTrue();
                if (put) {
                    versions.put(key, step);
                    assertThat(bench.version(key)).isEqualTo(step);
                }
            }
            long other = random.nextLong(keys);
            long version = bench.version(other);
            if (version >= 0 || eviction == Eviction.NONE) {
                assertThat(version).isEqualTo(versions.getOrDefault(other, -1L));
            }
            if (step % 100 == 0) {
                bench.requireRules();
            }
        }
        bench.requireRules();

        repairWith(bench, random);
        bench.requireRules();
    }

    /** As a kill leaves it: heads of buckets that do not know of a slot, or know of one that is not there any more. */
    private static void repairWith(Bench bench, Random random) {
        long state = bench.segments.stateAt(SEGMENT);
        Index.set(bench.memory, state, Index.get(bench.memory, state) | 1);
        for (int bucket = 0; bucket < bench.layout.buckets(); bucket++) {
            long bucketAt = bench.segments.indexAt(SEGMENT) + (long) bucket * Index.BUCKET_BYTES;
            if (random.nextBoolean()) {
                Index.set(bench.memory, bucketAt, random.nextLong());
            }
        }
        assertThat(bench.checks.isTorn(SEGMENT)).isTrue();
        bench.checks.repair(SEGMENT);
        assertThat(bench.checks.isTorn(SEGMENT)).isFalse();
    }
}
