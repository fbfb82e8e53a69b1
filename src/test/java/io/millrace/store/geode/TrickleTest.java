package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.region.StoredBlock;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionInfo;
import io.millrace.store.region.Retention;
import io.millrace.store.write.RegionWriter;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A feed of 100 records a second, each acknowledged on its own, into a region that retains a tenth of it: the number of
 * blocks, their memory and what a restart reads stay the same. The time is that of the feed, which is as fast as it can
 * be.
 *
 * <p>{@code -Dmillrace.trickle.days=10} runs longer, {@code -Dmillrace.trickle.folder=FOLDER} has the region on disk
 * and opens it again after each tenth of the time. Prints a line for each tenth.
 */
class TrickleTest {

    private static final double DAYS = Double.parseDouble(System.getProperty("millrace.trickle.days", "0.012"));
    private static final @Nullable String FOLDER = System.getProperty("millrace.trickle.folder");
    private static final int FLUSH = Integer.getInteger("millrace.trickle.flush", 1);
    private static final int RECORDS_PER_SECOND = 100;
    private static final int TENTHS = 10;
    private static final long RECORDS_PER_TENTH =
            (long) (DAYS * TimeUnit.DAYS.toSeconds(1) * RECORDS_PER_SECOND / TENTHS);
    /** As the pipeline ends blocks. */
    private static final int RECORDS_PER_MINUTE = 60 * RECORDS_PER_SECOND;

    private static final long SIZE =
            Math.max((Retention.NEWEST_BLOCKS + 16) * (16L << 10), RECORDS_PER_TENTH * Trades.LENGTH);
    /** What the process may need in addition for other reasons, such as classes that are loaded later. */
    private static final long HEAP_SLACK_BYTES = 16L << 20;

    private static final String REGION = "trickle";
    private static final byte[] FEED = Trades.feed(1000);

    private long records;
    private long putBytes;

    /** What the region has after a tenth of the time. */
    private record Sample(RegionInfo info, long heapBytes, long openMillis, long diskBytes) {

        long size() {
            return info.valueBytes() + info.entries() * StoredBlock.OVERHEAD_BYTES;
        }
    }

    @Test
    void shouldStayTheSameForDays() throws IOException {
        List<Sample> samples = new ArrayList<>();
        GeodeStore store = open();
        try {
            for (int tenth = 0; tenth < TENTHS; tenth++) {
                feed(store);
                long openMillis = 0;
                long diskBytes = 0;
                if (FOLDER != null) {
                    store.close();
                    diskBytes = diskBytes(Path.of(FOLDER));
                    long start = System.nanoTime();
                    store = open();
                    openMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                }
                samples.add(new Sample(store.info(REGION), heapBytes(), openMillis, diskBytes));
                print(samples.getLast());
            }
        } finally {
            store.close();
        }
        List<Sample> filled =
                samples.stream().filter(sample -> sample.size() > SIZE * 9 / 10).toList();
        assertThat(filled).hasSizeGreaterThan(3);
        Sample full = filled.getFirst();
        for (Sample later : filled) {
            assertThat(later.info().entries())
                    .isBetween(full.info().entries() * 8 / 10, full.info().entries() * 12 / 10);
            assertThat(later.size()).isLessThan(SIZE * 11 / 10);
            assertThat(later.heapBytes()).isLessThan(full.heapBytes() * 5 / 4 + HEAP_SLACK_BYTES);
        }
        Sample last = samples.getLast();
        // The last block of each minute is shorter than the others.
        assertThat(last.info().valueBytes() / last.info().entries()).isGreaterThan(12 << 10);
        // Most of the region is records, not overhead.
        assertThat(last.info().records() * Trades.LENGTH).isGreaterThan(last.size() * 9 / 10);
        if (FOLDER == null) { // else each opening begins to count again
            assertThat(last.info().records() + last.info().expired()).isEqualTo(TENTHS * RECORDS_PER_TENTH);
        }
    }

    private static GeodeStore open() {
        GeodeStore store =
                new GeodeStore(FOLDER == null ? GeodeOptions.inMemory() : GeodeOptions.inFolder(Path.of(FOLDER)));
        store.open(new RegionDefinition(
                REGION,
                Layout.BLOCKS,
                0,
                FOLDER != null,
                Trades.SCHEMA,
                List.of("id"),
                null,
                RegionDefinition.DEFAULT_BLOCK_RECORDS,
                BlockEncoding.ROWS,
                new Retention(null, SIZE),
                Memory.HEAP));
        return store;
    }

    /** Writes the records of a tenth of the time, in a term of its own. */
    private void feed(GeodeStore store) {
        RegionWriter writer = Writers.open(store, REGION, "trickle", Trades.SCHEMA);
        RecordBatch batch = new RecordBatch(Trades.SCHEMA);
        for (long i = 0; i < RECORDS_PER_TENTH; i++, records++) {
            int offset = (int) (records % 1000) * Trades.LENGTH;
            writer.append(batch.fill(FEED, offset, 1, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
            writer.advance(RecordBatch.NO_POSITION);
            boolean minuteEnds = records % RECORDS_PER_MINUTE == 0;
            if (records % FLUSH == 0 || minuteEnds || i == RECORDS_PER_TENTH - 1) {
                writer.flush();
            }
            if (minuteEnds) {
                writer.endBlock();
            }
        }
        assertThat(writer.counters().kept().get()).isEqualTo(RECORDS_PER_TENTH);
        putBytes += writer.counters().bytes().get();
    }

    private static long heapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long diskBytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(Path::toFile)
                    .filter(File::isFile)
                    .mapToLong(File::length)
                    .sum();
        }
    }

    private void print(Sample sample) {
        System.out.printf(
                "%.2f days: %d records written, %d stored in %d blocks of %.1f KiB, heap %.1f MB,"
                        + " %.0f bytes put for each record, %.1f MB on disk, opened in %d ms%n",
                (double) records / RECORDS_PER_SECOND / TimeUnit.DAYS.toSeconds(1),
                records,
                sample.info().records(),
                sample.info().entries(),
                sample.info().valueBytes() / 1024.0 / sample.info().entries(),
                sample.heapBytes() / 1e6,
                (double) putBytes / records,
                sample.diskBytes() / 1e6,
                sample.openMillis());
    }
}
