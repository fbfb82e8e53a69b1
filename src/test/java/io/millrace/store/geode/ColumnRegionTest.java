package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.FieldValueException;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ColumnRegionTest {

    private static final int RECORDS = 3000;
    private static final byte[] FEED = Trades.feed(RECORDS);

    private static void open(GeodeStore store, String key, BlockEncoding encoding, boolean persistent) {
        List<String> keys = key.isEmpty() ? List.of() : List.of(key);
        store.open(
                new RegionDefinition("trades", Layout.BLOCKS, 0, persistent, Trades.SCHEMA, keys, null, 700, encoding));
    }

    private static void write(GeodeStore store, int partition, int first, int end) {
        RegionWriter writer = Writers.open(store, "trades", "p", partition, Trades.SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        writer.append(Trades.batch(FEED, first, end));
        writer.flush();
    }

    private static byte[] trade(int number) {
        return Arrays.copyOfRange(FEED, number * Trades.LENGTH, (number + 1) * Trades.LENGTH);
    }

    @Test
    void shouldTakeLessRoomAndAnswerTheSame() {
        Query query = new Query("side == 'Sell' and amount > 300", List.of(), List.of("desk desc", "amount"), 50);
        QueryResult rows;
        double rowBytes;
        try (GeodeStore store = new GeodeStore(GeodeOptions.inMemory())) {
            open(store, "id", BlockEncoding.ROWS, false);
            write(store, 0, 0, RECORDS);
            rows = store.query("trades", query);
            rowBytes = store.info("trades").bytesPerRecord();
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inMemory())) {
            open(store, "id", BlockEncoding.COLUMNS, false);
            write(store, 0, 0, RECORDS);
            QueryResult columns = store.query("trades", query);

            assertThat(columns.records()).hasSize(50).isEqualTo(rows.records());
            assertThat(columns.counts().scanned()).isEqualTo(RECORDS);
            assertThat(columns.counts().scannedBlocks()).isEqualTo(5);
            assertThat(store.info("trades").records()).isEqualTo(RECORDS);
            assertThat(store.info("trades").bytesPerRecord()).isLessThan(rowBytes / 2);
            assertThat(store.query("trades", Query.where("id > 2900")).counts().skippedBlocks())
                    .isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource(BlockEncoding.class)
    void shouldFindTheLastRecordOfAKey(BlockEncoding encoding) {
        try (GeodeStore store = new GeodeStore(GeodeOptions.inMemory())) {
            open(store, "id", encoding, false);
            write(store, 0, 0, RECORDS);

            assertThat(store.get("trades", "0")).isEqualTo(trade(0));
            assertThat(store.get("trades", "1234")).isEqualTo(trade(1234));
            assertThat(store.get("trades", "2999")).isEqualTo(trade(2999));
            assertThat(store.get("trades", "3000")).isNull();
            assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> store.get("trades", "x"));
        }
    }

    @ParameterizedTest
    @EnumSource(BlockEncoding.class)
    void shouldFindTheLastOfManyByNameOrText(BlockEncoding encoding) {
        for (String key : List.of("side", "desk", "day")) {
            try (GeodeStore store = new GeodeStore(GeodeOptions.inMemory())) {
                open(store, key, encoding, false);
                write(store, 0, 0, 2995);
                int expected = key.equals("side") ? 2993 : key.equals("desk") ? 2988 : 2942;

                assertThat(last(store, key)).as(key).isEqualTo(trade(expected));
            }
        }
    }

    private static byte @Nullable [] last(GeodeStore store, String key) {
        return switch (key) {
            case "side" -> store.get("trades", "Sell");
            case "desk" -> store.get("trades", "D8");
            default -> store.get("trades", "2024-11-15");
        };
    }

    @Test
    void shouldSayThatThereIsNoKey() {
        try (GeodeStore store = new GeodeStore(GeodeOptions.inMemory())) {
            open(store, "", BlockEncoding.COLUMNS, false);

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.get("trades", "1"))
                    .withMessageContaining("has no key");
        }
    }

    /** Neither encoding nor key is in the schema: both may be others when a region is opened again. */
    @Test
    void shouldReadWhatWasStoredUnderAnotherEncodingAndKey(@TempDir Path folder) {
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            open(store, "amount", BlockEncoding.ROWS, true);
            write(store, 0, 0, 1000);
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            open(store, "id", BlockEncoding.COLUMNS, true);
            write(store, 0, 1000, RECORDS);
            QueryResult result = store.query("trades", Query.where("id == 17 or id == 2017"));

            assertThat(result.records()).hasSize(2);
            assertThat(result.counts().scannedBlocks()).isEqualTo(3);
            assertThat(result.counts().skippedBlocks()).isEqualTo(2);
            assertThat(store.get("trades", "17")).isEqualTo(trade(17));
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            open(store, "id", BlockEncoding.ROWS, true);

            assertThat(store.query("trades", Query.where("amount * 2 < 0"))
                            .counts()
                            .scanned())
                    .isEqualTo(RECORDS);
        }
    }
}
