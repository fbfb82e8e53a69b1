package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.store.Rejects;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Query;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import io.millrace.store.write.RegionWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A persistent region that is opened again as another one. */
class DefinitionChangeTest {

    private static final int RECORDS = 40;
    private static final byte[] FEED = Trades.feed(2 * RECORDS);

    @TempDir
    Path folder;

    private static RegionDefinition blocks(Schema schema, int blockRecords, String... key) {
        return new RegionDefinition("trades", Layout.BLOCKS, 0, true, schema, List.of(key), blockRecords);
    }

    private static RegionDefinition entries(Schema schema, String... key) {
        return new RegionDefinition("trades", Layout.ENTRIES, 0, true, schema, List.of(key), 16);
    }

    private static Schema with(Field... changed) {
        List<Field> fields = new ArrayList<>(Trades.SCHEMA.fields());
        for (Field field : changed) {
            fields.removeIf(other -> other.name().equals(field.name()));
            fields.add(field);
        }
        return new Schema("trade", fields.stream().mapToInt(Field::end).max().orElse(0), fields, List.of());
    }

    private GeodeStore store() {
        return new GeodeStore(GeodeOptions.inFolder(folder));
    }

    private void write(RegionDefinition definition) {
        try (GeodeStore store = store()) {
            store.open(definition);
            write(store, 0, RECORDS);
        }
    }

    private static void write(GeodeStore store, int first, int end) {
        RegionWriter writer = Writers.open(store, "trades", "trades", 0, Trades.SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        writer.append(Trades.batch(FEED, first, end));
        writer.advance((long) end * Trades.LENGTH);
        writer.flush();
    }

    private String refusal(RegionDefinition definition) {
        try (GeodeStore store = store()) {
            return String.valueOf(assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.open(definition))
                    .actual()
                    .getMessage());
        }
    }

    private void requireAll(RegionDefinition definition) {
        try (GeodeStore store = store()) {
            store.open(definition);
            assertThat(store.query("trades", new Query("id >= 0", List.of(), List.of("id"), 1000))
                            .records())
                    .hasSize(RECORDS);
        }
    }

    @Test
    void shouldRefuseAnotherKeyOfEntries() {
        write(entries(Trades.SCHEMA, "id"));
        assertThat(refusal(entries(Trades.SCHEMA, "id", "desk")))
                .contains("Region 'trades'", "key: 'id' is stored, 'id, desk' is configured", "regions remove trades");
        assertThat(refusal(entries(Trades.SCHEMA, "desk"))).contains("key: 'id' is stored, 'desk' is configured");
        requireAll(entries(Trades.SCHEMA, "id"));
    }

    @Test
    void shouldRefuseAnotherLayout() {
        write(blocks(Trades.SCHEMA, 16));
        assertThat(refusal(entries(Trades.SCHEMA, "id")))
                .contains("layout: 'blocks' is stored, 'entries' is configured")
                // All of both definitions.
                .contains("stored:", "block-records=16", "configured:", "key=id");
        requireAll(blocks(Trades.SCHEMA, 16));
    }

    @Test
    void shouldRefuseBlocksWhereEntriesAre() {
        write(entries(Trades.SCHEMA, "id"));
        assertThat(refusal(blocks(Trades.SCHEMA, 16))).contains("layout: 'entries' is stored, 'blocks' is configured");
    }

    @Test
    void shouldRefuseRejectsWhereRecordsAre() {
        write(entries(Trades.SCHEMA, "id"));
        try (GeodeStore store = store()) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.open(Rejects.region("trades", true)))
                    .withMessageContaining("layout: 'entries' is stored, 'blocks' is configured");
        }
    }

    @Test
    void shouldNameTheFieldsThatDiffer() {
        write(blocks(Trades.SCHEMA, 16));
        FieldType number = Trades.SCHEMA.fields().iterator().next().type();
        FieldType side = new FieldType.EnumType(
                ((FieldType.EnumType) Trades.SCHEMA.fields().stream()
                                .filter(field -> field.name().equals("side"))
                                .findFirst()
                                .orElseThrow()
                                .type())
                        .storage(),
                Dictionary.of("Sell", "Buy"));

        assertThat(refusal(blocks(with(Field.of("more", number, 23)), 16)))
                .contains("field 'more' was added (integer i64 at byte 23): stored records have no value");
        assertThat(refusal(blocks(with(Field.of("amount", number, 15)), 16)))
                .contains("field 'amount' changed from decimal i64 scale 2 at byte 15 to integer i64 at byte 15");
        assertThat(refusal(blocks(with(Field.of("side", side, 10)), 16)))
                .contains("field 'side' changed: 0 'Buy' became 'Sell'", "Code 0 would have another meaning");
    }

    @Test
    void shouldOpenAnEmptyRegionAsAnything() {
        try (GeodeStore store = store()) {
            store.open(blocks(Trades.SCHEMA, 16));
        }
        write(entries(Trades.SCHEMA, "id"));
        assertThat(refusal(blocks(Trades.SCHEMA, 16))).contains("layout");
    }

    @Test
    void shouldGoOnWithWhatChangesNoStoredByte() {
        write(blocks(Trades.SCHEMA, 16));
        RegionDefinition other = new RegionDefinition(
                "trades",
                Layout.BLOCKS,
                0,
                true,
                Trades.SCHEMA,
                List.of("id"),
                null,
                8,
                BlockEncoding.COLUMNS,
                new Retention(Duration.ofDays(1), null),
                new Memory(64L << 20, false));
        try (GeodeStore store = store()) {
            store.open(other);
            write(store, RECORDS, 2 * RECORDS);
            assertThat(store.query("trades", new Query("id >= 0", List.of(), List.of("id"), 1000))
                            .records())
                    .hasSize(2 * RECORDS);
            assertThat(store.record("trades", "3")).containsEntry("id", 3L);
            assertThat(store.record("trades", "77")).containsEntry("id", 77L);
        }
        try (GeodeStore store = store()) {
            store.open(blocks(Trades.SCHEMA, 16, "day"));
            assertThat(store.query("trades", new Query("day > '1970-01-01'", List.of(), List.of("id"), 1000))
                            .records())
                    .hasSize(2 * RECORDS);
        }
    }
}
