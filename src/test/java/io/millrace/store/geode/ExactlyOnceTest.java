package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** A pipeline that dies again and again, after any batch, flushed or not, and starts again from what is covered. */
class ExactlyOnceTest {

    private static final int RECORDS = 300;
    private static final byte[] FEED = Trades.feed(RECORDS);

    @SuppressWarnings("NullAway.Init")
    private static GeodeStore store;

    private static int pipelines;

    @BeforeContainer
    static void open() {
        store = new GeodeStore(GeodeOptions.inMemory());
        store.open(definition("all", Layout.BLOCKS));
        store.open(definition("some", Layout.BLOCKS));
        store.open(definition("latest", Layout.ENTRIES));
    }

    private static RegionDefinition definition(String name, Layout layout) {
        return new RegionDefinition(name, layout, 0, false, Trades.SCHEMA, List.of("id"), 16);
    }

    @AfterContainer
    static void close() {
        store.close();
    }

    @Property(tries = 200)
    void shouldHoldEachRecordOnceWhateverWasKilled(
            @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 1, max = 70) Integer> batchSizes,
            @ForAll @Size(min = 1, max = 12) List<@IntRange(max = 5) Integer> batchesUntilDeath,
            @ForAll @IntRange(min = 1, max = 4) int flushEvery,
            @ForAll @IntRange(min = 1, max = 40) int routedStep) {
        String pipeline = "pipeline-" + pipelines++;
        int batches = 0;
        for (int life = 0; ; life++) {
            List<RegionWriter> writers =
                    List.of(writer("all", pipeline), writer("some", pipeline), writer("latest", pipeline));
            int first = (int)
                    (writers.stream().mapToLong(RegionWriter::covered).min().orElseThrow() / Trades.LENGTH);
            boolean last = life == batchesUntilDeath.size();
            for (int lived = 0; first < RECORDS && (last || lived < batchesUntilDeath.get(life)); lived++) {
                int end = Math.min(RECORDS, first + batchSizes.get(batches++ % batchSizes.size()));
                offer(writers, first, end, routedStep, batches % flushEvery == 0 || end == RECORDS);
                first = end;
            }
            if (last) {
                break;
            }
        }

        assertThat(StoredBlocks.ids("all", pipeline, 0)).isEqualTo(ids(1));
        assertThat(StoredBlocks.ids("some", pipeline, 0)).isEqualTo(ids(routedStep));
        assertThat(store.info("latest").records()).isEqualTo(RECORDS);
    }

    private static void offer(List<RegionWriter> writers, int first, int end, int routedStep, boolean flush) {
        RecordBatch batch = Trades.batch(FEED, first, end);
        writers.get(0).append(batch);
        writers.get(2).append(batch);
        writers.get(1).append(Trades.every(routedStep, batch));
        for (RegionWriter writer : writers) {
            writer.advance((long) end * Trades.LENGTH);
            if (flush) {
                writer.flush();
            }
        }
    }

    private static RegionWriter writer(String region, String pipeline) {
        return Writers.open(store, region, pipeline, 0, Trades.SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
    }

    private static List<Long> ids(int step) {
        return LongStream.range(0, RECORDS).filter(id -> id % step == 0).boxed().toList();
    }
}
