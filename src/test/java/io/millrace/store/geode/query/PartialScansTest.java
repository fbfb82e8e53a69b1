package io.millrace.store.geode.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.Store;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.StoredBlocks;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.guard.LostLease;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Answer;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryTimeoutException;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.scan.AggregateAnswer;
import io.millrace.store.scan.AggregatePart;
import io.millrace.store.scan.AggregateScan;
import io.millrace.store.scan.QueryAnswer;
import io.millrace.store.scan.QueryPart;
import io.millrace.store.scan.QueryScan;
import io.millrace.store.write.RegionWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers found in stretches as short as can be, by members among which buckets move. */
class PartialScansTest {

    private static final int RECORDS = 3000;
    private static final int BLOCK = 50;

    /** One block, or a range of a few entries. */
    private static final ScanBudget SHORTEST = new ScanBudget(0, 30 * Trades.LENGTH);

    private static final List<Object> ALL =
            LongStream.range(0, RECORDS).<Object>mapToObj(id -> id).toList();
    private static final FunctionRegistry FUNCTIONS = FunctionRegistry.empty();
    private static GeodeStore store;

    @BeforeAll
    static void open() {
        store = new GeodeStore(GeodeOptions.inMemory());
        byte[] feed = Trades.feed(RECORDS);
        for (Layout layout : Layout.values()) {
            store.open(definition(layout));
            // Of two writers, so that the keys of blocks lie in two ranges.
            for (int partition = 0; partition < 2; partition++) {
                RegionWriter writer =
                        Writers.open(store, layout.tag(), "trades", partition, Trades.SCHEMA, (_, _, reason) -> {
                            throw new AssertionError(reason.toString());
                        });
                int half = RECORDS / 2;
                writer.append(
                        Trades.batch(new RecordBatch(Trades.SCHEMA), feed, partition * half, (partition + 1) * half));
                writer.flush();
            }
        }
    }

    @AfterAll
    static void close() {
        store.close();
    }

    private static RegionDefinition definition(Layout layout) {
        return new RegionDefinition(layout.tag(), layout, 0, false, Trades.SCHEMA, List.of("id"), BLOCK);
    }

    /** Two members, each with half of the buckets; from one stretch to the next, some move. */
    private static List<RegionReader> members(Layout layout, int round) {
        Region<Object, byte[]> region = StoredBlocks.region(layout.tag());
        Map<Integer, Set<Integer>> split = Buckets.all(region).numbers().stream()
                .collect(Collectors.groupingBy(number -> (number >> (round % 4)) % 2, Collectors.toSet()));
        return split.values().stream()
                .map(some -> new RegionReader(store.opened(layout.tag()), new Buckets(region, some)))
                .toList();
    }

    private static Answer<Map<String, @Nullable Object>> find(Layout layout, Query query, AtomicInteger rounds) {
        return find(layout, query, Store.TIMEOUT, rounds, () -> {});
    }

    private static Answer<Map<String, @Nullable Object>> find(
            Layout layout, Query query, Duration timeout, AtomicInteger rounds, Runnable before) {
        QueryScan scan = QueryScan.of(definition(layout), query, FUNCTIONS);
        PartialScans<QueryPart> stretches = new PartialScans<>(SHORTEST, (limit, from, most) -> {
            int round = rounds.getAndIncrement();
            before.run();
            return members(layout, round).stream()
                    .map(member -> member.find(scan, limit, from, most))
                    .toList();
        });
        return new QueryAnswer<>(
                layout.tag(), query, scan, stretches, scan.decoder()::decode, timeout, System.nanoTime(), _ -> {});
    }

    private static List<Object> ids(Answer<Map<String, @Nullable Object>> answer) {
        return answer.stream()
                .<Object>map(row -> Objects.requireNonNull(row.get("id")))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldAnswerNothingWithoutTheLease(Layout layout) {
        RegionReader reader = members(layout, 0).getFirst();
        assertThat(reader.totals(BucketCursors.NONE).part()).isNotNull();
        LostLease.begin();
        try {
            RegionReader later = members(layout, 0).getFirst();
            assertThat(later.totals(BucketCursors.NONE).part()).isNull();
            assertThat(later.entry(1L).part()).isNull();
            assertThat(later.last("1", BucketCursors.NONE).part()).isNull();
            assertThat(later.described().part()).isNull();
            // It was read with the lease that is still held.
            assertThat(reader.totals(BucketCursors.NONE).part()).isNotNull();
        } finally {
            LostLease.end();
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldFindEachRecordOnceWhicheverMemberHasTheBuckets(Layout layout) {
        AtomicInteger rounds = new AtomicInteger();
        Query query = new Query(null, List.of("id"), List.of(), Query.UNLIMITED);
        Answer<Map<String, @Nullable Object>> answer = find(layout, query, rounds);

        assertThat(ids(answer)).containsExactlyInAnyOrderElementsOf(ALL);
        assertThat(answer.counts().scanned()).isEqualTo(RECORDS);
        // Each of two members goes on by one of 60 blocks, or of about 110 ranges of 30 entries, if it has any left.
        assertThat(rounds.get()).isBetween(layout == Layout.BLOCKS ? 30 : 55, layout == Layout.BLOCKS ? 61 : 75);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldFindWhatPassesAlsoWhereMostDoesNot(Layout layout) {
        Query query = new Query("id % 500 == 7", List.of("id"), List.of(), Query.UNLIMITED);

        assertThat(ids(find(layout, query, new AtomicInteger())))
                .containsExactlyInAnyOrder(7L, 507L, 1007L, 1507L, 2007L, 2507L);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldKeepTheBestOfAllStretches(Layout layout) {
        Query query = new Query("side == 'Sell'", List.of("id"), List.of("desk", "id desc"), 400);
        List<Object> best = LongStream.range(0, RECORDS)
                .filter(id -> id % 2 == 1)
                .boxed()
                .sorted(Comparator.<Long>comparingLong(id -> id % 10).thenComparing(Comparator.reverseOrder()))
                .limit(400)
                .<Object>map(id -> id)
                .toList();

        assertThat(ids(find(layout, query, new AtomicInteger()))).isEqualTo(best);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldAddUpAggregatesOfAllParts(Layout layout) {
        AggregateQuery query = new AggregateQuery(null, List.of("desk"), List.of("count()", "max(id)"), 100);
        AggregateScan scan = AggregateScan.of(definition(layout), query, FUNCTIONS);
        AtomicInteger rounds = new AtomicInteger();
        PartialScans<AggregatePart> stretches = new PartialScans<>(SHORTEST, (_, from, most) -> {
            int round = rounds.getAndIncrement();
            return members(layout, round).stream()
                    .map(member -> member.aggregates(scan, from, most))
                    .toList();
        });
        AggregateAnswer answer =
                new AggregateAnswer(layout.tag(), scan, stretches, Store.TIMEOUT, System.nanoTime(), _ -> {});

        assertThat(answer.stream())
                .hasSize(10)
                .allSatisfy(row -> assertThat(row)
                        .containsEntry("count()", 300L)
                        .containsEntry(
                                "max(id)",
                                2990L
                                        + Long.parseLong(
                                                String.valueOf(row.get("desk")).substring(1))));
        assertThat(answer.counts().scanned()).isEqualTo(RECORDS);
        assertThat(rounds.get()).isGreaterThan(7);
    }

    /** As Geode does it where a bucket moves: two members answer for it, nobody does, or one has lost it meanwhile. */
    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldReadEachBucketOnceWhateverMembersAnswer(Layout layout) {
        Query query = new Query(null, List.of("id"), List.of(), Query.UNLIMITED);
        QueryScan scan = QueryScan.of(definition(layout), query, FUNCTIONS);
        AtomicInteger rounds = new AtomicInteger();
        PartialScans<QueryPart> stretches = new PartialScans<>(SHORTEST, (limit, from, most) -> {
            int round = rounds.getAndIncrement();
            List<PartialScan<QueryPart>> found = new ArrayList<>();
            for (RegionReader member : members(layout, round)) {
                found.add(member.find(scan, limit, from, most));
            }
            switch (round % 5) {
                case 0 ->
                    found.add(RegionReader.whole(store.opened(layout.tag())).find(scan, limit, from, most));
                case 1 -> found.removeFirst();
                case 2 -> found.set(0, PartialScan.none(found.getFirst().buckets()));
                case 3 -> found.clear();
                default -> found.addAll(List.copyOf(found));
            }
            return found;
        });
        Answer<Map<String, @Nullable Object>> answer = new QueryAnswer<>(
                layout.tag(),
                query,
                scan,
                stretches,
                scan.decoder()::decode,
                Store.TIMEOUT,
                System.nanoTime(),
                _ -> {});

        assertThat(ids(answer)).containsExactlyInAnyOrderElementsOf(ALL);
    }

    @Test
    void shouldRetryWhereDataMovedAndReportEveryOtherFailure() {
        AtomicInteger rounds = new AtomicInteger();
        Query query = new Query(null, List.of("id"), List.of(), Query.UNLIMITED);
        RuntimeException cause = new IllegalStateException("it moved");
        assertThat(ids(find(Layout.BLOCKS, query, Store.TIMEOUT, rounds, () -> {
                    if (rounds.get() % 3 == 1) {
                        throw new MovedException("try again", cause);
                    }
                })))
                .containsExactlyInAnyOrderElementsOf(ALL);

        Answer<Map<String, @Nullable Object>> failing = find(Layout.BLOCKS, query, Store.TIMEOUT, rounds, () -> {
            throw new StoreException("damaged");
        });
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(failing::next)
                .withMessage("damaged");
    }

    @Test
    void shouldScanNothingBeforeTheFirstCall() {
        AtomicInteger rounds = new AtomicInteger();
        Answer<Map<String, @Nullable Object>> answer =
                find(Layout.BLOCKS, new Query(null, List.of(), List.of(), Query.UNLIMITED), rounds);

        assertThat(rounds.get()).isZero();
        for (int i = 0; i < 2 * BLOCK; i++) {
            assertThat(answer.next()).isNotNull();
        }
        assertThat(rounds.get()).isOne();
        assertThat(answer.counts().scanned()).isEqualTo(2 * BLOCK);
        answer.close();
        assertThatExceptionOfType(StoreException.class).isThrownBy(answer::next).withMessageContaining("is closed");
        assertThat(rounds.get()).isOne();
    }

    @Test
    void shouldGiveUpWhenItsTimeIsOver() {
        AtomicInteger rounds = new AtomicInteger();
        Query query = new Query(null, List.of("id"), List.of("id"), 1);
        Duration limit = Duration.ofSeconds(2);
        Answer<Map<String, @Nullable Object>> answer = find(Layout.BLOCKS, query, limit, rounds, () -> {
            if (rounds.get() == 3) {
                LockSupport.parkNanos(2 * limit.toNanos());
            }
        });

        assertThatExceptionOfType(QueryTimeoutException.class)
                .isThrownBy(answer::next)
                .satisfies(timeout -> {
                    assertThat(timeout.timeout()).isEqualTo(limit);
                    assertThat(timeout.counts().scanned()).isEqualTo(rounds.get() * 2L * BLOCK);
                })
                .withMessageStartingWith("The query of region 'blocks' took longer than its timeout of 2s");
        assertThat(rounds.get()).isBetween(1, 3);
    }
}
