package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.FreePort;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.catalog.StoredDefinition.Kind;
import io.millrace.store.error.DefinitionChangedException;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.admin.ClusterData;
import io.millrace.store.geode.admin.StoredData;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Definitions that a server of a cluster stores, as its clients and its next start see them. */
@Tag("long")
class ClusterCatalogTest {

    private static final int RECORDS = 40;
    private static final byte[] FEED = Trades.feed(RECORDS);
    private static final String MEASURE = StoredDefinition.measureName("trades", "volume");

    @TempDir
    Path folder;

    private static StoredDefinition measure(String value) {
        return new StoredDefinition(Kind.MEASURE, Map.of("values.volume", value), SchemaDescription.of(Trades.SCHEMA));
    }

    private static GeodeStore client(int locator, String... key) {
        GeodeStore store = new GeodeStore(GeodeOptions.client(ForkedMember.client(locator)));
        store.open(ForkedMember.stored(key));
        store.openStates(true);
        return store;
    }

    private static RegionWriter writer(GeodeStore store) {
        return Writers.open(store, ForkedMember.STORED, "trades", Trades.SCHEMA);
    }

    private static void write(int locator) {
        try (GeodeStore store = client(locator, "id")) {
            RegionWriter writer = writer(store);
            writer.append(Trades.batch(FEED, 0, RECORDS));
            writer.advance((long) RECORDS * Trades.LENGTH);
            writer.flush();
            store.openMeasure(MEASURE, measure("sum(amount)"), true);
            byte[] header = new byte[StateStore.HEADER_LENGTH];
            header[StateStore.NUMBER_AT + Long.BYTES - 1] = 1;
            Term term = Objects.requireNonNull(
                    store.claim(WriterName.of("trades", 0), true).term());
            store.states(true).put("trades#volume/0", header, term);
        }
    }

    @Test
    void shouldKeepDefinitionsWithTheDataOfTheServers() throws Exception {
        int port = FreePort.next();
        Path data = folder.resolve("data");
        try (ForkedMember _ = ForkedMember.locator(folder, port).awaitReady()) {
            try (ForkedMember server = ForkedMember.storing(data, port).awaitReady()) {
                write(port);
                try (GeodeStore store = client(port, "id", "desk")) {
                    assertThat(store.catalog())
                            .extracting(CatalogEntry::name, CatalogEntry::values)
                            .containsExactly(tuple(MEASURE, 1L), tuple(ForkedMember.STORED, 40L));
                    assertThatExceptionOfType(StoreException.class)
                            .isThrownBy(store::requireAvailable)
                            .withMessageContaining("key: 'id' is stored, 'id, desk' is configured");
                    assertThatExceptionOfType(DefinitionChangedException.class)
                            .isThrownBy(() -> store.openMeasure(MEASURE, measure("max(amount)"), true))
                            .withMessageContaining("values.volume: 'sum(amount)' is stored");
                }
                server.leave();
            }
            assertThatExceptionOfType(DefinitionChangedException.class)
                    .isThrownBy(() -> ForkedMember.join(data, port, "id", "desk"))
                    .withMessageContaining("key: 'id' is stored, 'id, desk' is configured");
            try (ForkedMember server = ForkedMember.storing(data, port).awaitReady()) {
                try (StoredData stored = new ClusterData(ForkedMember.client(port))) {
                    assertThat(stored.entries()).hasSize(2).allMatch(entry -> entry.values() > 0);
                    stored.remove(ForkedMember.STORED);
                    assertThat(stored.entries())
                            .extracting(CatalogEntry::name, CatalogEntry::values)
                            .containsExactly(tuple(MEASURE, 1L));
                    assertThat(stored.positions().values())
                            .singleElement()
                            .satisfies(commit ->
                                    assertThat(commit.regions()).containsExactly(entry(ForkedMember.STORED, 0L)));
                    stored.remove(MEASURE);
                    assertThat(stored.entries()).isEmpty();
                    assertThat(stored.audit().values())
                            .hasSize(2)
                            .first()
                            .asString()
                            .startsWith("regions remove name=" + ForkedMember.STORED);
                }
                server.leave();
            }
            // What was removed is no obstacle to another key.
            ForkedMember.join(data, port, "id", "desk").close();
        }
    }

    @Test
    void shouldRemoveNothingThatARunningPipelineWrites() throws Exception {
        int port = FreePort.next();
        try (ForkedMember _ = ForkedMember.locator(folder, port).awaitReady();
                ForkedMember _ =
                        ForkedMember.storing(folder.resolve("data"), port).awaitReady();
                GeodeStore store = client(port, "id")) {
            RegionWriter writer = writer(store);
            writer.append(Trades.batch(FEED, 0, RECORDS));
            writer.flush();
            try (ForkedMember tool = ForkedMember.removing(ForkedMember.STORED, port)) {
                assertThat(tool.line()).contains("'trades/0' is in use by").endsWith("Stop the pipeline first.");
            }
            assertThat(store.info(ForkedMember.STORED).records()).isEqualTo(RECORDS);
        }
    }
}
