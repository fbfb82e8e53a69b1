package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.FreePort;
import io.millrace.TestBudget;
import io.millrace.corpus.StoreCorpus;
import io.millrace.schema.Schema;
import io.millrace.store.CompactBatches;
import io.millrace.store.CompactOrders;
import io.millrace.store.Writers;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.write.RegionWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries to the servers of a cluster, which scan for its clients where the records are stored. */
class ClusterQueryTest {

    private static final int RECORDS = 1000;
    private static final Schema SCHEMA = CompactOrders.SCHEMA;
    private static final int EXPRESSIONS = TestBudget.of(40);

    @TempDir
    static Path folder;

    private static int port;
    private static final List<ForkedMember> MEMBERS = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        port = FreePort.next();
        MEMBERS.add(ForkedMember.locator(folder, port).awaitReady());
        for (String name : ForkedMember.CORPUS) {
            MEMBERS.add(ForkedMember.server(name, "a", port));
        }
        for (ForkedMember member : MEMBERS.subList(1, MEMBERS.size())) {
            member.awaitReady();
        }
    }

    @AfterAll
    static void stop() {
        MEMBERS.forEach(ForkedMember::close);
    }

    @Test
    void shouldScanColumnsOfCompactRecords() {
        List<byte[]> orders = CompactOrders.records(SCHEMA, CompactOrders.json(39, 0, RECORDS));
        try (GeodeStore store = new GeodeStore(GeodeOptions.client(ForkedMember.client(port)))) {
            store.open(ForkedMember.ORDERS);
            RegionWriter writer = Writers.open(store, ForkedMember.ORDERS.name(), "orders", SCHEMA);
            writer.append(CompactBatches.batch(SCHEMA, orders));
            writer.flush();

            QueryResult late = store.query(
                    ForkedMember.ORDERS.name(),
                    new Query("id >= 950 and quantity >= 0", List.of("id"), List.of("id"), RECORDS));
            assertThat(late.records())
                    .extracting(record -> record.get("id"))
                    .containsExactlyElementsOf(
                            LongStream.range(950, RECORDS).boxed().toList());
            assertThat(late.counts().skippedBlocks()).isEqualTo(9);
            assertThat(store.get(ForkedMember.ORDERS.name(), "321")).isEqualTo(orders.get(321));
        }
    }

    @Test
    void shouldAnswerAsStockSpelAndSqlDo() {
        StoreCorpus corpus = new StoreCorpus();
        try (GeodeStore store = new GeodeStore(GeodeOptions.client(ForkedMember.client(port)))) {
            corpus.regions().forEach(store::open);
            corpus.write(store);
            assertThat(corpus.check(store, EXPRESSIONS)).isPositive();
        }
    }

    @Test
    void shouldAnswerAsStockSpelAndSqlDoWithoutCluster() {
        StoreCorpus corpus = new StoreCorpus();
        try (GeodeStore store = new GeodeStore(GeodeOptions.inMemory())) {
            corpus.regions().forEach(store::open);
            corpus.write(store);
            assertThat(corpus.check(store, EXPRESSIONS)).isPositive();
        }
    }
}
