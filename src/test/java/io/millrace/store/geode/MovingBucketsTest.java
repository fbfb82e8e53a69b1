package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.store.Store;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.geode.query.ClusterQueryExecutor;
import io.millrace.store.geode.query.PartialScans;
import io.millrace.store.geode.query.ScanBudget;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Answer;
import io.millrace.store.query.Query;
import io.millrace.store.region.Layout;
import io.millrace.store.scan.QueryAnswer;
import io.millrace.store.scan.QueryPart;
import io.millrace.store.scan.QueryScan;
import io.millrace.store.write.RegionWriter;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Queries to three servers among which the buckets of a region move all the while. {@code -Dmillrace.moves=100} asks
 * more often.
 */
@Tag("long")
class MovingBucketsTest {

    /** Takes so long that buckets move while it is answered. */
    private static final String SLOW = "#slowly(id)";

    private static final int RECORDS = 6000;
    private static final int ANSWERS = Integer.getInteger("millrace.moves", 2);

    /** Many for each answer, so that buckets move between them too. */
    private static final ScanBudget SHORT = new ScanBudget(3_000_000, 16 << 10);

    private static final List<Long> ALL = LongStream.range(0, RECORDS).boxed().toList();

    @TempDir
    static Path folder;

    private static final List<ForkedMember> OTHERS = new ArrayList<>();
    private static int locator;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static GeodeStore store;

    private @Nullable BucketMover mover;

    @BeforeAll
    static void join() throws Exception {
        locator = FreePort.next();
        OTHERS.add(ForkedMember.locator(folder, locator).awaitReady());
        OTHERS.add(ForkedMember.server("two", "a", locator));
        OTHERS.add(ForkedMember.server("three", "b", locator));
        store = ForkedMember.join("one", "a", locator);
        for (ForkedMember other : OTHERS.subList(1, OTHERS.size())) {
            other.awaitReady();
        }
        await().untilAsserted(() -> assertThatCode(store::requireCopies).doesNotThrowAnyException());
        byte[] feed = Trades.feed(RECORDS);
        for (Layout layout : Layout.values()) {
            RegionWriter writer =
                    Writers.open(store, ForkedMember.single(layout), "trades", 0, Trades.SCHEMA, (_, _, reason) -> {
                        throw new AssertionError(reason.toString());
                    });
            writer.append(Trades.batch(feed, 0, RECORDS));
            writer.flush();
        }
    }

    @AfterAll
    static void leave() {
        store.close();
        OTHERS.forEach(ForkedMember::close);
    }

    private BucketMover move(Layout layout) {
        mover = new BucketMover(StoredBlocks.region(ForkedMember.single(layout)));
        return mover;
    }

    @AfterEach
    void rest() {
        if (mover != null) {
            mover.close();
        }
    }

    /** As the store does, but a few milliseconds at a time. */
    private static Answer<Map<String, @Nullable Object>> find(Layout layout, Query query) {
        OpenRegion region = store.opened(ForkedMember.single(layout));
        QueryScan scan = QueryScan.of(region.definition(), query, ForkedMember.FUNCTIONS);
        ClusterQueryExecutor queries = new ClusterQueryExecutor(ForkedMember.FUNCTIONS);
        PartialScans<QueryPart> stretches = new PartialScans<>(
                SHORT, (limit, from, most) -> queries.find(region, scan, query.withLimit(limit), from, most));
        return new QueryAnswer<>(
                region.definition().name(),
                query,
                scan,
                stretches,
                scan.decoder()::decode,
                Store.TIMEOUT,
                System.nanoTime(),
                _ -> {});
    }

    private static List<Long> ids(Answer<Map<String, @Nullable Object>> answer) {
        return answer.stream()
                .map(row -> (Long) Objects.requireNonNull(row.get("id")))
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldFindEachRecordOnceInOneStretch(Layout layout) {
        BucketMover moving = move(layout);
        Query query = new Query(SLOW, List.of("id"), List.of(), Query.UNLIMITED);

        for (int i = 0; i < ANSWERS || moving.moves() < ANSWERS; i++) {
            assertThat(ids(store.find(ForkedMember.single(layout), query, Store.TIMEOUT)))
                    .as("answer %d after %d moves", i, moving.moves())
                    .isEqualTo(ALL);
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldFindEachRecordOnceInManyStretches(Layout layout) {
        BucketMover moving = move(layout);
        Query query = new Query(SLOW, List.of("id"), List.of(), Query.UNLIMITED);

        for (int i = 0; i < ANSWERS || moving.moves() < ANSWERS; i++) {
            assertThat(ids(find(layout, query)))
                    .as("answer %d after %d moves", i, moving.moves())
                    .isEqualTo(ALL);
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldCountEachRecordOnce(Layout layout) {
        BucketMover moving = move(layout);
        AggregateQuery query = new AggregateQuery(SLOW, List.of(), List.of("count()", "sum(id)"), 1);
        String region = ForkedMember.single(layout);

        for (int i = 0; i < ANSWERS || moving.moves() < ANSWERS; i++) {
            assertThat(store.aggregate(region, query).groups().getFirst())
                    .as("answer %d after %d moves", i, moving.moves())
                    .containsEntry("count()", (long) RECORDS)
                    .containsEntry("sum(id)", BigInteger.valueOf(RECORDS * (RECORDS - 1L) / 2));
            assertThat(store.info(region).records()).isEqualTo(RECORDS);
            assertThat(store.get(region, String.valueOf(i % RECORDS)))
                    .as("record %d after %d moves", i, moving.moves())
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldGiveAClientEachRecordOnce(Layout layout) throws Exception {
        BucketMover moving = move(layout);
        try (ForkedMember client = ForkedMember.client(ForkedMember.single(layout), locator)) {
            for (int i = 0; i < ANSWERS || moving.moves() < ANSWERS; i++) {
                assertThat(client.line())
                        .as("answer %d after %d moves", i, moving.moves())
                        .isEqualTo(QueryLoop.complete(RECORDS));
            }
        }
    }
}
