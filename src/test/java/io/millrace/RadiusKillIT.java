package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.feed.radius.RecordingClient;
import io.millrace.feed.radius.StoredRequests;
import io.millrace.nemesis.Kills;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.geode.cache.CacheFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise of a RADIUS feed: what was answered is stored, whatever is killed, whenever. The packaged service is
 * killed as {@code kill -9} does it, several times at random moments while a client sends all it can, and started again
 * each time; the client goes on all along, and remembers what was answered. Then the disk stores are opened.
 */
@Tag("long")
class RadiusKillIT {

    private static final int KILLS = Kills.count(1);
    private static final int LONGEST_LIFE_MILLIS = 1_000;

    @TempDir
    Path folder;

    @Test
    void shouldHoldEachAnsweredRequestWheneverItIsKilled() throws Exception {
        Random random = new Random(Kills.seed());
        int entriesPort = FreePort.next();
        int blocksPort = FreePort.next();
        Files.writeString(folder.resolve("config.yml"), """
            millrace:
              regions:
                entries: { layout: entries, key: sessionId, persistent: true }
                blocks: { layout: blocks, persistent: true }
              pipelines:
                one:
                  feed: { radius: { port: %1$d, clients: [ { address: 127.0.0.1, secret: %3$s } ] } }
                  schema: radius-accounting
                  steps:
                    - to: entries
                two:
                  feed: { radius: { port: %2$d, clients: [ { address: 127.0.0.1, secret: %3$s } ] } }
                  schema: radius-accounting
                  steps:
                    - to: blocks
            """.formatted(entriesPort, blocksPort, RecordingClient.SECRET));

        try (RecordingClient entries = new RecordingClient(entriesPort);
                RecordingClient blocks = new RecordingClient(blocksPort)) {
            for (int kill = 0; kill < KILLS; kill++) {
                runAndKill(entries, blocks, random);
            }
            BitSet answeredEntries = entries.answered();
            BitSet answeredBlocks = blocks.answered();
            runToTheEnd(entries, blocks);
            try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder.resolve("data")))) {
                StoredRequests stored = StoredRequests.ofEntries(values(store, Layout.ENTRIES, List.of("sessionId")));
                verify(stored, answeredEntries, entries.sent(), 0);
                stored = StoredRequests.ofBlocks(values(store, Layout.BLOCKS, List.of()));
                // Where records have no key, what waited at a kill may be there twice: from before it and from after.
                verify(stored, answeredBlocks, blocks.sent(), KILLS * RecordingClient.WINDOW);
            }
        }
    }

    /** Starts the service, and kills it a random time after it has begun to answer. */
    private void runAndKill(RecordingClient entries, RecordingClient blocks, Random random) throws Exception {
        try (MillraceProcess millrace = MillraceProcess.start(folder, "run", "config.yml", "--server.port=0")) {
            awaitAnswers(millrace, entries, blocks);
            Kills.atAnyMoment(millrace, "one", random.nextInt(LONGEST_LIFE_MILLIS));
        }
    }

    /** Starts the service, lets it answer all that was sent, and kills it too. */
    private void runToTheEnd(RecordingClient entries, RecordingClient blocks) throws Exception {
        try (MillraceProcess millrace = MillraceProcess.start(folder, "run", "config.yml", "--server.port=0")) {
            awaitAnswers(millrace, entries, blocks);
            entries.finish();
            blocks.finish();
            await().until(() -> entries.answers() == entries.sent() && blocks.answers() == blocks.sent());
            assertThat(millrace.alive()).as(millrace.output()).isTrue();
            millrace.kill();
        }
    }

    private static void awaitAnswers(MillraceProcess millrace, RecordingClient entries, RecordingClient blocks)
            throws Exception {
        int entriesBefore = entries.answers();
        int blocksBefore = blocks.answers();
        await().until(() ->
                !millrace.alive() || (entries.answers() > entriesBefore && blocks.answers() > blocksBefore));
        assertThat(millrace.alive()).as(millrace.output()).isTrue();
    }

    /** The values of the region that is named after its layout. */
    private static Collection<?> values(GeodeStore store, Layout layout, List<String> key) {
        String name = layout.name().toLowerCase(Locale.ROOT);
        store.open(new RegionDefinition(name, layout, 0, true, Schemas.builtIn().get("radius-accounting"), key, 4096));
        return CacheFactory.getAnyInstance().getRegion(name).values();
    }

    private static void verify(StoredRequests stored, BitSet answeredBeforeTheEnd, int sent, int mostTwice) {
        System.out.println("answered until the last kill: " + answeredBeforeTheEnd.cardinality() + ", sent: " + sent
                + ", records: " + stored.records());
        assertThat(stored.missing(answeredBeforeTheEnd))
                .as("answered, but not stored")
                .isEqualTo(new BitSet());
        BitSet all = new BitSet();
        all.set(0, sent);
        assertThat(stored.numbers()).isEqualTo(all);
        assertThat(stored.records()).isBetween(sent, sent + mostTwice);
    }
}
