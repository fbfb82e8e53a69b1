package io.millrace;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.feed.radius.RecordingClient;
import io.millrace.feed.radius.StoredRequests;
import io.millrace.schema.Schemas;
import io.millrace.store.Layout;
import io.millrace.store.RegionDefinition;
import io.millrace.store.geode.GeodeOptions;
import io.millrace.store.geode.GeodeStore;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import org.apache.geode.cache.CacheFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The promise of a RADIUS feed: what was answered is stored, whatever is killed, whenever. The packaged service is
 * killed as {@code kill -9} does it, several times at random moments while a client sends all it can, and started again
 * each time; the client goes on all along, and remembers what was answered. Then the disk stores are opened.
 */
class RadiusKillIT {

    private static final int KILLS = 3;
    private static final int LONGEST_LIFE_MILLIS = 1_000;
    private static final String REGION = "sessions";

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldHoldEachAnsweredRequestWheneverItIsKilled(Layout layout) throws Exception {
        long seed = Long.getLong("millrace.kill.seed", System.nanoTime());
        System.out.println("millrace.kill.seed=" + seed);
        Random random = new Random(seed);
        int port = freePort();
        Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  regions:
                    %s: { layout: %s, persistent: true }
                  pipelines:
                    network:
                      feed:
                        radius:
                          port: %d
                          clients:
                            - { address: 127.0.0.1, secret: %s }
                      schema: radius-accounting
                      steps:
                        - to: %s
                """.formatted(
                        REGION,
                        layout == Layout.ENTRIES ? "entries, key: sessionId" : "blocks",
                        port,
                        RecordingClient.SECRET,
                        REGION));

        int sent;
        BitSet answeredBeforeKills;
        try (RecordingClient client = new RecordingClient(port)) {
            for (int kill = 0; kill < KILLS; kill++) {
                runAndKill(client, random);
            }
            answeredBeforeKills = client.answered();
            try (Jar jar = startAndAwaitAnswers(client)) {
                client.finish();
                await().atMost(60, SECONDS).until(() -> client.answers() == client.sent());
                assertThat(jar.alive()).as(jar.output()).isTrue();
                jar.kill();
            }
            sent = client.sent();
        }

        StoredRequests stored = stored(layout);
        System.out.println("answered until the last kill: " + answeredBeforeKills.cardinality() + ", sent: " + sent
                + ", records: " + stored.records());
        assertThat(stored.missing(answeredBeforeKills))
                .as("answered, but not stored")
                .isEqualTo(new BitSet());
        assertThat(stored.numbers()).isEqualTo(firstOf(sent));
        // Where records have no key, what waited at a kill may be there twice: before and after.
        int twice = layout == Layout.ENTRIES ? 0 : KILLS * RecordingClient.WINDOW;
        assertThat(stored.records()).isBetween(sent, sent + twice);
    }

    /** Starts the service, and kills it a random time after it has begun to answer. */
    private void runAndKill(RecordingClient client, Random random) throws Exception {
        try (Jar jar = startAndAwaitAnswers(client)) {
            Thread.sleep(random.nextInt(LONGEST_LIFE_MILLIS)); // any moment will do: what is asserted holds for all
            assertThat(jar.alive()).as(jar.output()).isTrue();
            jar.kill();
        }
    }

    private Jar startAndAwaitAnswers(RecordingClient client) throws Exception {
        int before = client.answers();
        Jar jar = Jar.start(folder, "run", "config.yml", "--server.port=0");
        await().atMost(60, SECONDS).until(() -> !jar.alive() || client.answers() > before);
        assertThat(jar.alive()).as(jar.output()).isTrue();
        return jar;
    }

    private StoredRequests stored(Layout layout) {
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder.resolve("data")))) {
            List<String> key = layout == Layout.ENTRIES ? List.of("sessionId") : List.of();
            store.open(new RegionDefinition(
                    REGION, layout, 0, true, Schemas.builtIn().get("radius-accounting"), key, 4096));
            Collection<?> values =
                    CacheFactory.getAnyInstance().getRegion(REGION).values();
            return layout == Layout.ENTRIES ? StoredRequests.ofEntries(values) : StoredRequests.ofBlocks(values);
        }
    }

    private static BitSet firstOf(int count) {
        BitSet numbers = new BitSet();
        numbers.set(0, count);
        return numbers;
    }

    /** A port that nobody listens on now; the service takes it again in each of its lives. */
    private static int freePort() throws Exception {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            return socket.getLocalPort();
        }
    }
}
