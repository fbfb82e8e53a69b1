package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import io.millrace.store.write.RegionWriter;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * A pipeline that dies again and again while its oldest blocks go: what is left is the feed's end, each record once.
 */
class RetentionExactlyOnceTest {

    private static final int RECORDS = 300;
    private static final int BLOCK_RECORDS = 4;
    private static final int KEPT_BLOCKS = Retention.NEWEST_BLOCKS + 8;
    private static final byte[] FEED = Trades.feed(RECORDS);

    @SuppressWarnings("NullAway.Init")
    private static GeodeStore store;

    private static int regions;

    @BeforeContainer
    static void open() {
        store = new GeodeStore(GeodeOptions.inMemory());
    }

    @AfterContainer
    static void close() {
        store.close();
    }

    @Property(tries = 100)
    void shouldHoldTheEndOfTheFeedWhateverWasKilled(
            @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 1, max = 70) Integer> batchSizes,
            @ForAll @Size(min = 1, max = 12) List<@IntRange(max = 5) Integer> batchesUntilDeath,
            @ForAll @Size(min = 1, max = 12) List<@IntRange(max = 2) Integer> sweeps) {
        String region = "region-" + regions++;
        store.open(new RegionDefinition(
                region,
                Layout.BLOCKS,
                0,
                false,
                Trades.SCHEMA,
                List.of(),
                null,
                BLOCK_RECORDS,
                BlockEncoding.ROWS,
                new Retention(null, (long) KEPT_BLOCKS * (BlockFormat.HEADER_LENGTH + BLOCK_RECORDS * Trades.LENGTH)),
                Memory.HEAP));
        int batches = 0;
        for (int life = 0; ; life++) {
            RegionWriter writer = Writers.open(store, region, "trades", 0, Trades.SCHEMA, (_, _, reason) -> {
                throw new AssertionError(reason.toString());
            });
            int first = (int) (writer.covered() / Trades.LENGTH);
            boolean last = life == batchesUntilDeath.size();
            for (int lived = 0; first < RECORDS && (last || lived < batchesUntilDeath.get(life)); lived++) {
                int end = Math.min(RECORDS, first + batchSizes.get(batches++ % batchSizes.size()));
                writer.append(Trades.batch(new RecordBatch(Trades.SCHEMA), FEED, first, end));
                writer.advance((long) end * Trades.LENGTH);
                if (batches % 3 == 0 || end == RECORDS) {
                    writer.flush();
                }
                if (sweeps.get(batches % sweeps.size()) == 0) {
                    store.sweep(System.currentTimeMillis());
                }
                first = end;
            }
            if (last) {
                break;
            }
        }
        store.sweep(System.currentTimeMillis());

        List<Long> ids = StoredBlocks.ids(region, "trades", 0);
        assertThat(ids).isNotEmpty().hasSizeLessThanOrEqualTo(KEPT_BLOCKS * BLOCK_RECORDS);
        assertThat(ids)
                .isEqualTo(LongStream.range(ids.getFirst(), RECORDS).boxed().toList());
        assertThat(ids.size() + store.expired(region)).isEqualTo(RECORDS);
    }
}
