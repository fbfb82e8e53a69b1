package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RejectReason;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.store.Rejects;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.block.Block;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.RegionWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PersistenceTest {

    private static final String FORCE = "jdk.FileForce";
    private static final byte[] FEED = Trades.feed(200);

    @TempDir
    Path folder;

    private GeodeStore open(Schema schema) {
        GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder));
        try {
            store.open(new RegionDefinition("blocks", Layout.BLOCKS, 0, true, schema, List.of(), 16));
            store.open(new RegionDefinition("entries", Layout.ENTRIES, 0, true, schema, List.of("id"), 16));
            store.open(new RegionDefinition("volatile", Layout.ENTRIES, 0, false, schema, List.of("id"), 16));
            store.open(Rejects.region("rejects", true));
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
        return store;
    }

    private static RegionWriter writer(GeodeStore store, String region) {
        return Writers.open(store, region, "trades", 0, Trades.SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
    }

    private static void write(RegionWriter writer, int first, int end) {
        writer.append(Trades.batch(FEED, first, end));
        writer.advance((long) end * Trades.LENGTH);
        writer.flush();
    }

    private static List<Long> ids(int end) {
        return LongStream.range(0, end).boxed().toList();
    }

    @Test
    void shouldHoldAfterReopeningWhatItHeldBefore() {
        try (GeodeStore store = open(Trades.SCHEMA)) {
            write(writer(store, "blocks"), 0, 50);
            write(writer(store, "entries"), 0, 50);
            write(writer(store, "volatile"), 0, 50);
            RejectBatch rejects = new RejectBatch();
            rejects.add(7, new RejectReason(RejectReason.Kind.TRUNCATED, "3 of 23 bytes"), FEED, 0, 3);
            RegionWriter writer = Writers.open(store, "rejects", "trades", RejectBatch.RECORDS);
            writer.append(rejects.take(50));
            writer.flush();
        }
        for (int replayedFrom : new int[] {0, 17, 50}) {
            int end = replayedFrom + 50 + 30;
            try (GeodeStore store = open(Trades.SCHEMA)) {
                RegionWriter blocks = writer(store, "blocks");
                RegionWriter entries = writer(store, "entries");
                assertThat(blocks.covered()).isEqualTo(entries.covered()).isNotZero();
                assertThat(writer(store, "volatile").covered()).isZero();
                assertThat(Rejects.of(store, "rejects")).hasSize(1);
                write(blocks, replayedFrom, end);
                write(entries, replayedFrom, end);

                assertThat(StoredBlocks.ids("blocks", "trades", 0)).isEqualTo(ids(end));
                assertThat(store.info("blocks").records()).isEqualTo(end);
                assertThat(store.info("entries").records()).isEqualTo(end);
            }
        }
    }

    /** The loss of power would lose values of buckets that Geode has no record of. */
    @Test
    void shouldForceTheRecordsOfAllRegionsOnceBeforeTheFirstWrite() throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable(FORCE).withoutThreshold();
            recording.start();
            try (GeodeStore store = open(Trades.SCHEMA)) {
                assertThat(forces(recording)).isZero();
                RegionWriter blocks = writer(store, "blocks");
                assertThat(forces(recording)).isOne();
                write(blocks, 0, 50);
                write(writer(store, "entries"), 0, 50);
                assertThat(forces(recording)).isOne();
            }
        }
    }

    /** Returns how often the file of Geode's records was forced. */
    private long forces(Recording recording) throws IOException {
        Path file = folder.resolveSibling(folder.getFileName() + ".jfr");
        recording.dump(file);
        try {
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals(FORCE))
                    .filter(event -> event.getString("path").endsWith(".if"))
                    .count();
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void shouldKeepAPositionWithoutRecords() {
        try (GeodeStore store = open(Trades.SCHEMA)) {
            RegionWriter writer = writer(store, "blocks");
            write(writer, 0, 20);
            for (long end = 21; end < 30; end++) {
                writer.advance(end * Trades.LENGTH);
                writer.flush();
                writer.flush();
            }
            assertThat(writer.counters().puts().get()).isEqualTo(2);
        }
        try (GeodeStore store = open(Trades.SCHEMA)) {
            RegionWriter writer = writer(store, "blocks");
            assertThat(writer.covered()).isEqualTo(29 * Trades.LENGTH);
            List<Block> blocks = StoredBlocks.of("blocks", "trades", 0);
            assertThat(blocks).extracting(Block::count).containsExactly(16, 4);
            write(writer, 25, 40);

            assertThat(StoredBlocks.of("blocks", "trades", 0)).hasSize(3);
            assertThat(StoredBlocks.of("blocks", "trades", 0).getLast().from()).isEqualTo(20 * Trades.LENGTH);
            assertThat(store.info("blocks").records()).isEqualTo(20 + 11);
        }
    }

    @Test
    void shouldRefuseRecordsOfAnotherSchema() {
        try (GeodeStore store = open(Trades.SCHEMA)) {
            write(writer(store, "blocks"), 0, 5);
        }
        Schema other = Trades.SCHEMA
                .extend(Field.of(
                        "more", Trades.SCHEMA.fields().iterator().next().type(), 0))
                .stored();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> open(other))
                .withMessageContaining("Region 'blocks'")
                .withMessageContaining("field 'more' was added");
    }

    @Test
    void shouldSayThatAFolderIsNeeded() {
        try (GeodeStore store = new GeodeStore(GeodeOptions.inMemory())) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.open(Rejects.region("rejects", true)))
                    .withMessageContaining("folder");
        }
    }
}
