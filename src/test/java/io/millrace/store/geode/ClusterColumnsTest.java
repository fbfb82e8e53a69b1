package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.FreePort;
import io.millrace.schema.Schema;
import io.millrace.store.CompactBatches;
import io.millrace.store.CompactOrders;
import io.millrace.store.Writers;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.write.RegionWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns next to compact records on the servers of a cluster, which scan them for its clients. */
class ClusterColumnsTest {

    private static final int RECORDS = 1000;
    private static final Schema SCHEMA = CompactOrders.SCHEMA;

    @TempDir
    Path folder;

    @Test
    void shouldBeScannedWhereTheyAreStored() throws Exception {
        int port = FreePort.next();
        List<byte[]> orders = CompactOrders.records(SCHEMA, CompactOrders.json(39, 0, RECORDS));
        try (ForkedMember _ = ForkedMember.locator(folder, port).awaitReady();
                ForkedMember _ = ForkedMember.server("one", "a", port).awaitReady();
                GeodeStore store = new GeodeStore(GeodeOptions.client(ForkedMember.client(port)))) {
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
}
