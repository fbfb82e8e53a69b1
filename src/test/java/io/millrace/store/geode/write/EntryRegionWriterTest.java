package io.millrace.store.geode.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.StoredBlocks;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.EntryVersions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.util.CacheWriterAdapter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EntryRegionWriterTest {

    private static final byte[] FEED = Trades.feed(5000);
    private static GeodeStore store;

    private final List<RejectReason> rejects = new ArrayList<>();

    @BeforeAll
    static void open() {
        store = new GeodeStore(GeodeOptions.inMemory());
    }

    @AfterAll
    static void close() {
        store.close();
    }

    private RegionWriter writer(String region, String key) {
        if (!store.regions().contains(region)) {
            store.open(definition(region, key));
        }
        return Writers.open(store, region, "trades", 0, Trades.SCHEMA, (_, _, reason) -> rejects.add(reason));
    }

    private static RegionDefinition definition(String region, String key) {
        return new RegionDefinition(region, Layout.ENTRIES, 0, false, Trades.SCHEMA, List.of(key), 4096);
    }

    private static byte[] trade(int number) {
        return Arrays.copyOfRange(FEED, number * Trades.LENGTH, (number + 1) * Trades.LENGTH);
    }

    @Test
    void shouldStoreEachRecordUnderItsKey() {
        RegionWriter writer = writer("by-id", "id");
        writer.append(Trades.batch(FEED, 0, 2500));
        assertThat(writer.counters().kept().get()).isEqualTo(2048);
        assertThat(writer.counters().pending().get()).isEqualTo(452);
        assertThat(writer.covered()).isZero();
        writer.advance(2500 * Trades.LENGTH);
        writer.flush();

        assertThat(store.get("by-id", "2499")).isEqualTo(trade(2499));
        assertThat(store.get("by-id", "2500")).isNull();
        assertThat(store.info("by-id").records()).isEqualTo(2500);
        assertThat(store.info("by-id").bytesPerRecord()).isEqualTo(Trades.LENGTH + EntryVersions.CHECKSUM_LENGTH + 64);
        assertThat(writer.counters().kept().get()).isEqualTo(2500);
        assertThat(writer.counters().bytes().get()).isEqualTo(2500 * (Trades.LENGTH + EntryVersions.CHECKSUM_LENGTH));
        assertThat(writer.covered()).isEqualTo(2500 * Trades.LENGTH);
    }

    @Test
    void shouldLetTheLatestWin() {
        RegionWriter writer = writer("by-desk", "desk");
        writer.append(Trades.batch(FEED, 0, 1234));
        writer.flush();

        assertThat(store.info("by-desk").entries()).isEqualTo(10);
        assertThat(store.get("by-desk", "D3")).isEqualTo(trade(1233));
        assertThat(store.get("by-desk", "D4")).isEqualTo(trade(1224));
        assertThat(writer.counters().kept().get()).isEqualTo(1234);
    }

    @Test
    void shouldRejectARecordWhoseKeyCannotBeRead() {
        RegionWriter writer = writer("by-side", "side");
        byte[] feed = Trades.feed(3);
        feed[Trades.LENGTH + 10] = 7;
        writer.append(Trades.batch(feed, 0, 3));
        writer.flush();

        assertThat(store.get("by-side", "Buy")).isNotNull();
        assertThat(store.get("by-side", "Sell")).isNull();
        assertThat(writer.counters().kept().get()).isEqualTo(2);
        assertThat(rejects).singleElement().satisfies(reason -> {
            assertThat(reason.kind()).isEqualTo(RejectReason.Kind.INVALID_VALUE);
            assertThat(reason.detail()).contains("Invalid value '7' of 'side'.");
        });
        assertThatExceptionOfType(FieldValueException.class).isThrownBy(() -> store.get("by-side", "Sideways"));
    }

    @Test
    void shouldGoOnWhereItStoppedAfterAPutFailed() {
        RegionWriter writer = writer("failing", "id");
        int[] attempts = {0};
        StoredBlocks.region("failing").getAttributesMutator().setCacheWriter(new CacheWriterAdapter<>() {
            @Override
            public void beforeCreate(EntryEvent<Object, byte[]> event) {
                if (++attempts[0] == 700) {
                    throw new CacheWriterException("not now");
                }
            }
        });
        RecordBatch batch = Trades.batch(FEED, 0, 3000);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> writer.append(batch))
                .withMessageContaining("Failed put of 1024 entries in region 'failing': not now");
        assertThat(writer.counters().kept().get()).isZero();
        writer.append(batch);
        writer.flush();

        assertThat(store.info("failing").records()).isEqualTo(3000);
        assertThat(writer.counters().kept().get()).isEqualTo(3000);
    }

    @Test
    void shouldGoOnBehindWhatIsCovered() {
        RegionWriter writer = writer("resumed", "id");
        writer.append(Trades.batch(FEED, 0, 100));
        writer.advance(100 * Trades.LENGTH);
        writer.flush();
        RegionWriter again = writer("resumed", "id");
        again.append(Trades.batch(FEED, 50, 150));
        again.flush();

        assertThat(again.counters().alreadyStored().get()).isEqualTo(50);
        assertThat(again.counters().puts().get()).isEqualTo(50);
        assertThat(store.info("resumed").records()).isEqualTo(150);
    }

    @Test
    void shouldRefuseAKeyThatCannotBeOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> definition("x", "colour"))
                .withMessageContaining("Unknown key 'colour' of region 'x'");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Writers.open(store, "nowhere", "trades", 0, Trades.SCHEMA, (_, _, _) -> {}))
                .withMessageStartingWith("Region 'nowhere' is not open. Use one of: ");
    }
}
