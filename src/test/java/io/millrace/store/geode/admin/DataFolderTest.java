package io.millrace.store.geode.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.store.Rejects;
import io.millrace.store.Trades;
import io.millrace.store.UnconfiguredRegions;
import io.millrace.store.Writers;
import io.millrace.store.catalog.CatalogEntry;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.catalog.StoredDefinition.Kind;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

    private static final int RECORDS = 40;
    private static final byte[] FEED = Trades.feed(RECORDS);
    private static final String MEASURE = StoredDefinition.measureName("trades", "volume");

    @TempDir
    Path folder;

    private static RegionDefinition region(String name, Layout layout) {
        return new RegionDefinition(name, layout, 0, true, Trades.SCHEMA, List.of("id"), 16);
    }

    private static RegionWriter writer(GeodeStore store, String region) {
        return Writers.open(store, region, "trades", 0, Trades.SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
    }

    private static void write(GeodeStore store, String region) {
        RegionWriter writer = writer(store, region);
        writer.append(Trades.batch(FEED, 0, RECORDS));
        writer.advance((long) RECORDS * Trades.LENGTH);
        writer.flush();
    }

    private static StoredDefinition measure(String value) {
        return new StoredDefinition(
                Kind.MEASURE,
                Map.of("by", "desk", "values.volume", value, "regions", "rows"),
                SchemaDescription.of(Trades.SCHEMA));
    }

    private GeodeStore open(String... regions) {
        GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder));
        for (String region : regions) {
            store.open(region(region, region.equals("entries") ? Layout.ENTRIES : Layout.BLOCKS));
        }
        store.open(Rejects.region("rejects", true));
        store.openStates(true);
        return store;
    }

    private static final Term TERM = new Term(WriterName.of("trades", 0), true, 2, 1, "token");

    /** The header of a first state. */
    private static byte[] header() {
        byte[] header = new byte[StateStore.HEADER_LENGTH];
        header[StateStore.NUMBER_AT + Long.BYTES - 1] = 1;
        return header;
    }

    private void store() {
        try (GeodeStore store = open("blocks", "entries", "rows")) {
            write(store, "blocks");
            write(store, "entries");
            write(store, "rows");
            store.openMeasure(MEASURE, measure("sum(amount)"), true);
            store.states(true).put("trades#volume/0", header(), TERM);
            store.states(true).put("trades#volume/0/1/0", new byte[8], TERM);
        }
    }

    @Test
    void shouldListWhatIsStored() {
        store();
        try (StoredData data = new DataFolder(folder)) {
            assertThat(data.entries())
                    .extracting(entry -> entry.name() + " " + entry.values())
                    .containsExactly("blocks 3", "entries 40", MEASURE + " 1", "rejects 0", "rows 3");
            StoredDefinition blocks = data.entries().getFirst().definition();
            assertThat(blocks.property("layout")).isEqualTo("blocks");
            assertThat(blocks.schema()).isEqualTo(SchemaDescription.of(Trades.SCHEMA));
        }
    }

    @Test
    void shouldShowWhatIsNotConfigured() {
        store();
        try (GeodeStore store = open("blocks", "rows", "renamed")) {
            assertThat(store.catalog())
                    .filteredOn(entry -> entry.name().equals("blocks"))
                    .containsExactly(new CatalogEntry(
                            "blocks", store.catalog().getFirst().definition(), true, 3));
            assertThat(UnconfiguredRegions.of(store))
                    .extracting(CatalogEntry::name)
                    .containsExactly("entries");
        }
    }

    @Test
    void shouldRemoveARegionSoThatItsFeedIsStoredAgain() {
        store();
        try (StoredData data = new DataFolder(folder)) {
            data.remove("entries");
            data.remove("blocks");
            assertThat(data.entries()).extracting(CatalogEntry::name).containsExactly(MEASURE, "rejects", "rows");
        }
        try (GeodeStore store = open("blocks", "entries", "rows")) {
            assertThat(writer(store, "entries").covered()).isZero();
            assertThat(writer(store, "blocks").covered()).isZero();
            assertThat(store.info("entries").records()).isZero();
            assertThat(store.info("rows").records()).isEqualTo(RECORDS);
            write(store, "entries");
            assertThat(store.info("entries").records()).isEqualTo(RECORDS);
        }
    }

    @Test
    void shouldResetAMeasureWithItsRows() {
        store();
        try (GeodeStore store = open("rows")) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.openMeasure(MEASURE, measure("max(amount)"), true))
                    .withMessageContaining("Measure 'trades.volume'")
                    .withMessageContaining("values.volume: 'sum(amount)' is stored, 'max(amount)' is configured")
                    .withMessageContaining("millrace regions remove " + MEASURE);
        }
        try (StoredData data = new DataFolder(folder)) {
            assertThat(data.removedWith(MEASURE)).containsExactly("rows", MEASURE);
            data.remove(MEASURE);
        }
        try (GeodeStore store = open("rows")) {
            store.openMeasure(MEASURE, measure("max(amount)"), true);
            assertThat(store.states(true).get("trades#volume/0/1/0")).isNull();
            assertThat(store.info("rows").records()).isZero();
            assertThat(store.catalog())
                    .filteredOn(entry -> entry.name().equals(MEASURE))
                    .extracting(entry -> entry.definition().property("values.volume"))
                    .containsExactly("max(amount)");
        }
    }

    @Test
    void shouldNameWhatIsStoredWhereANameIsUnknown() {
        store();
        try (StoredData data = new DataFolder(folder)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> data.remove("blokcs"))
                    .withMessageContaining("Nothing is stored under the name 'blokcs'")
                    .withMessageContaining("Did you mean 'blocks'?");
        }
    }

    @Test
    void shouldRefuseAFolderWithoutData() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> new DataFolder(folder))
                .withMessageContaining("holds no data of Millrace");
        assertThat(folder).isEmptyDirectory();
    }
}
