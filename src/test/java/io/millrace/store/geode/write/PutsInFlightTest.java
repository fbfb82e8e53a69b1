package io.millrace.store.geode.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import io.millrace.codec.RecordBatch;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.block.Block;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.StoredBlocks;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cache.PeerCache;
import io.millrace.store.geode.cache.StoragePolicy;
import io.millrace.store.geode.region.RegionValues;
import io.millrace.store.region.BlockKey;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.util.CacheWriterAdapter;

/** Writers whose puts of blocks go on side by side, into a region that takes, delays and refuses them at will. */
@SuppressWarnings("NullAway.Init") // made before the first test
class PutsInFlightTest {

    private static final String REGION = "in-flight";
    private static final int BLOCK = 8;
    private static final int RECORDS = 600;
    private static final byte[] FEED = Trades.feed(RECORDS);

    private static PeerCache cache;
    private static RegionValues values;
    private static BlockRegionWriter.Target target;
    private static int pipelines;
    private static final Map<String, Integer> NUMBERS = new ConcurrentHashMap<>();

    @BeforeContainer
    static void open() {
        cache = new PeerCache(GeodeOptions.inMemory());
        RegionDefinition definition =
                new RegionDefinition(REGION, Layout.BLOCKS, 0, false, Trades.SCHEMA, List.of("id"), BLOCK);
        Region<Object, byte[]> region = cache.region(REGION, StoragePolicy.of(definition), null);
        values = new RegionValues(cache, region);
        target = new BlockRegionWriter.Target(values, definition, () -> definition, false);
    }

    @AfterContainer
    static void close() {
        cache.close();
    }

    /** Decides what becomes of a put, by the sequence number of its block. */
    private interface Fate {
        void meet(long sequence) throws InterruptedException;
    }

    private static void puts(Fate fate) {
        StoredBlocks.region(REGION).getAttributesMutator().setCacheWriter(new CacheWriterAdapter<>() {
            @Override
            public void beforeCreate(EntryEvent<Object, byte[]> event) {
                try {
                    fate.meet(BlockKey.sequence((Long) event.getKey()));
                } catch (InterruptedException e) {
                    throw new CacheWriterException(e);
                }
            }
        });
    }

    private static BlockRegionWriter writer(String pipeline, ExecutorService threads, int inFlight) {
        return writer(pipeline, PutExecutor.of(threads), inFlight);
    }

    private static BlockRegionWriter writer(String pipeline, PutExecutor executor, int inFlight) {
        Term term = Writers.term(REGION, pipeline, NUMBERS.computeIfAbsent(pipeline, _ -> ++pipelines));
        BlockRegionWriter writer = new BlockRegionWriter(target, Term::number, Trades.SCHEMA, executor, inFlight);
        writer.open(term, 0);
        return writer;
    }

    private static boolean stored(String pipeline, int sequence) {
        return StoredBlocks.region(REGION).containsKey(Writers.firstKey(REGION, pipeline, 0) + sequence);
    }

    private static List<Long> ids(int end) {
        return LongStream.range(0, end).boxed().toList();
    }

    @Example
    void shouldPutBlocksSideBySideAndCoverTheFeedInOrder() {
        CountDownLatch first = new CountDownLatch(1);
        puts(sequence -> {
            if (sequence == 0) {
                first.await();
            }
        });
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            RegionWriter writer = writer("side-by-side", threads, 4);
            writer.append(Trades.batch(FEED, 0, 3 * BLOCK + 1));

            await().until(() -> stored("side-by-side", 1) && stored("side-by-side", 2));
            writer.append(Trades.batch(FEED, 3 * BLOCK + 1, 3 * BLOCK + 2));
            assertThat(writer.covered()).isZero();
            assertThat(writer.counters().kept().get()).isZero();
            assertThat(writer.counters().pending().get()).isEqualTo(3 * BLOCK + 2);

            first.countDown();
            writer.flush();
            assertThat(writer.covered()).isEqualTo((3 * BLOCK + 2) * Trades.LENGTH);
            assertThat(writer.counters().kept().get()).isEqualTo(3 * BLOCK + 2);
            assertThat(writer.counters().pending().get()).isZero();
            assertThat(writer.counters().puts().get()).isEqualTo(4);
            assertThat(StoredBlocks.ids(REGION, "side-by-side", 0)).isEqualTo(ids(3 * BLOCK + 2));
        }
    }

    @Example
    void shouldWaitWhereAsManyAsMayAreUnderWay() throws Exception {
        Set<Long> begun = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(1);
        puts(sequence -> {
            begun.add(sequence);
            all.await();
        });
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            BlockRegionWriter writer = writer("waits", threads, 2);
            Thread feed = Thread.ofPlatform().start(() -> writer.append(Trades.batch(FEED, 0, 10 * BLOCK)));

            await().until(() -> begun.size() == 2);
            await().until(() -> feed.getState() == Thread.State.WAITING);
            assertThat(begun).containsExactlyInAnyOrder(0L, 1L);
            assertThat(writer.counters().pending().get()).isEqualTo(3 * BLOCK);

            all.countDown();
            assertThat(feed.join(TestTimeout.MAX)).isTrue();
            writer.flush();
            assertThat(StoredBlocks.ids(REGION, "waits", 0)).isEqualTo(ids(10 * BLOCK));
        }
    }

    @Example
    void shouldPutAgainWhatFailedBehindOthersThatDidNot() {
        Map<Long, Integer> tries = new ConcurrentHashMap<>();
        puts(sequence -> {
            if (tries.merge(sequence, 1, Integer::sum) < 3 && sequence == 1) {
                throw new CacheWriterException("not now");
            }
        });
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            RegionWriter writer = writer("fails", threads, 4);
            RecordBatch batch = Trades.batch(FEED, 0, 4 * BLOCK);
            int failures = untilItWorks(() -> writer.append(batch)) + untilItWorks(writer::flush);

            assertThat(failures).isEqualTo(2);
            assertThat(tries).containsEntry(0L, 1).containsEntry(1L, 3).containsEntry(3L, 1);
            assertThat(StoredBlocks.ids(REGION, "fails", 0)).isEqualTo(ids(4 * BLOCK));
        }
    }

    /** Otherwise a failed put that arrives late could store a block again that has expired. */
    @Example
    void shouldRetryAPutOnTheSameThread() {
        Map<Long, List<Thread>> attempts = new ConcurrentHashMap<>();
        puts(sequence -> {
            List<Thread> threads = attempts.computeIfAbsent(sequence, _ -> new CopyOnWriteArrayList<>());
            threads.add(Thread.currentThread());
            if (sequence % 3 == 1 && threads.size() < 4) {
                throw new CacheWriterException("not now");
            }
        });
        try (PutThreads threads = new PutThreads()) {
            RegionWriter writer = writer("same-thread", threads, 4);
            RecordBatch batch = Trades.batch(FEED, 0, RECORDS);
            untilItWorks(() -> writer.append(batch));
            untilItWorks(writer::flush);
        }
        assertThat(attempts.get(1L)).hasSize(4);
        assertThat(attempts.values()).allSatisfy(threads -> assertThat(threads).containsOnly(threads.getFirst()));
    }

    @Example
    void shouldReuseTheThreadsOfPutsThatSucceeded() {
        Set<Thread> used = ConcurrentHashMap.newKeySet();
        puts(_ -> used.add(Thread.currentThread()));
        try (PutThreads threads = new PutThreads()) {
            RegionWriter writer = writer("reuse", threads, 2);
            writer.append(Trades.batch(FEED, 0, RECORDS));
            writer.flush();
            assertThat(used).hasSizeBetween(1, 2).doesNotContain(Thread.currentThread());
        }
        await().untilAsserted(() -> assertThat(used).noneMatch(Thread::isAlive));
    }

    @Example
    void shouldReportAFailureThatHappensBetweenCalls() throws Exception {
        CountDownLatch appended = new CountDownLatch(1);
        AtomicBoolean failed = new AtomicBoolean();
        puts(sequence -> {
            appended.await();
            if (failed.compareAndSet(false, true)) {
                throw new CacheWriterException("not now");
            }
        });
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            RegionWriter writer = writer("unseen", thread, 4);
            writer.append(Trades.batch(FEED, 0, BLOCK));
            appended.countDown();
            thread.submit(() -> {}).get(); // behind the put

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(writer::flush)
                    .withMessageContaining("not now");
            writer.flush();
            assertThat(StoredBlocks.ids(REGION, "unseen", 0)).isEqualTo(ids(BLOCK));
        }
    }

    /**
     * Whatever is stored when a writer dies, its successor and the feed that is read again make it whole; also where
     * the successor keeps other records, so that its blocks are not those that its predecessor left.
     */
    @Property(tries = 150)
    void shouldHoldEachRecordOnceWhereverWritersDie(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 16) int inFlight, @ForAll @IntRange(max = 3) int deaths)
            throws Exception {
        Random random = new Random(seed);
        String pipeline = "dies-" + pipelines++;
        int[] steps = new int[RECORDS];
        for (int life = 0; life <= deaths; life++) {
            boolean last = life == deaths;
            AtomicBoolean dying = new AtomicBoolean();
            Random fates = new Random(random.nextLong());
            puts(sequence -> {
                int fate;
                synchronized (fates) {
                    fate = fates.nextInt(12);
                }
                if (fate == 0) {
                    Thread.sleep(1);
                } else if (fate == 1 || (dying.get() && fate > 6)) {
                    throw new CacheWriterException("not now");
                }
            });
            ExecutorService threads = Executors.newFixedThreadPool(4);
            BlockRegionWriter writer = writer(pipeline, threads, inFlight);
            int step = 1 + random.nextInt(3);
            Arrays.fill(steps, Math.toIntExact(writer.covered() / Trades.LENGTH), RECORDS, step);
            int end = last ? RECORDS : random.nextInt(RECORDS);
            write(writer, random, step, end, last);
            dying.set(true);
            threads.shutdown();
            assertThat(threads.awaitTermination(TestTimeout.MAX.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
        assertThat(StoredBlocks.ids(REGION, pipeline, 0))
                .isEqualTo(ids(RECORDS).stream()
                        .filter(id -> id % steps[id.intValue()] == 0)
                        .toList());
        StoredBlocks.region(REGION).removeAll(keys(pipeline));
    }

    private static List<Object> keys(String pipeline) {
        long first = Writers.firstKey(REGION, pipeline, 0);
        return values.keys().stream()
                .filter(key -> BlockKey.sameWriter((Long) key, first))
                .toList();
    }

    /**
     * Reads the feed from where the writer says that it is covered, in batches of random sizes, and keeps every so
     * manieth record.
     */
    private static void write(BlockRegionWriter writer, Random random, int step, int end, boolean flushAtEnd) {
        int first = Math.toIntExact(writer.covered() / Trades.LENGTH);
        while (first < end) {
            int to = Math.min(end, first + 1 + random.nextInt(40));
            RecordBatch batch = Trades.every(step, Trades.batch(FEED, first, to));
            untilItWorks(() -> writer.append(batch));
            writer.advance((long) to * Trades.LENGTH);
            if (random.nextInt(8) == 0) {
                untilItWorks(writer::flush);
            }
            first = to;
        }
        if (flushAtEnd) {
            untilItWorks(writer::flush);
            assertThat(writer.covered()).isEqualTo((long) RECORDS * Trades.LENGTH);
        }
    }

    /** How often it did not. */
    private static int untilItWorks(Runnable call) {
        for (int failures = 0; ; failures++) {
            try {
                call.run();
                return failures;
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("Failed put of key ").hasMessageContaining("not now");
            }
        }
    }

    @Example
    void shouldKeepBlocksBehindAMissingOneWhereTheFeedHasNoPositions() {
        puts(sequence -> {});
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            RegionWriter writer = writer("endless", threads, 4);
            RecordBatch batch = new RecordBatch(Trades.SCHEMA);
            writer.append(batch.fill(FEED, 0, 4 * BLOCK, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
            writer.flush();
            StoredBlocks.region(REGION).remove(Writers.firstKey(REGION, "endless", 0) + 1);

            RegionWriter again = writer("endless", threads, 4);
            again.append(batch.fill(FEED, 0, BLOCK, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
            again.flush();
        }
        long first = Writers.firstKey(REGION, "endless", 0);
        List<Long> expected = new ArrayList<>(List.of(first, first + 2, first + 3, first + 4));
        assertThat(keys("endless")).containsExactlyInAnyOrderElementsOf(new ArrayList<Object>(expected));
        assertThat(StoredBlocks.of(REGION, "endless", 0))
                .extracting(Block::count)
                .containsOnly(BLOCK);
    }

    @Example
    void shouldRefuseABlockThatCannotBeRead() {
        puts(sequence -> {});
        NUMBERS.put("broken", 77_777);
        StoredBlocks.region(REGION).put(BlockKey.first(77_777), new byte[] {1, 2, 3});
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> writer("broken", threads, 4))
                    .withMessageContaining("in region 'in-flight'")
                    .withMessageContaining("77777/0");
        } finally {
            StoredBlocks.region(REGION).remove(BlockKey.first(77_777));
        }
    }
}
