package io.millrace;

import static io.millrace.feed.pcap.AccountingCapture.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.feed.pcap.AccountingCapture;
import io.millrace.feed.radius.StoredRequests;
import io.millrace.nemesis.Kills;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Rejects;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.reject.Reject;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.geode.cache.CacheFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise of a pcap feed: whatever is killed, whenever, each request of a capture is in its region once, and each
 * that can't be taken among the rejects once. The packaged service is killed as {@code kill -9} does it, several times
 * at random moments of its way through one capture, and started again each time; then its disk stores are opened and
 * held against what the capture's writer knows of it, which shares no code with the service.
 */
@Tag("long")
class PcapKillIT {

    private static final int KILLS = Kills.count(1);
    private static final int REQUESTS = Math.min(500_000, KILLS * 250_000);
    private static final int LONGEST_LIFE_MILLIS = 400;
    private static final int NAS_IP = 4;
    private static final int STATUS = 40;
    private static final int STOP = 2;

    @TempDir
    Path folder;

    @Test
    void shouldKeepEachRequestAndEachRejectOnceWheneverItIsKilled() throws Exception {
        long seed = Kills.seed();
        AccountingCapture capture = AccountingCapture.write(folder.resolve("network.pcap"), REQUESTS, seed);
        Files.writeString(folder.resolve("config.yml"), """
            millrace:
              regions:
                stops: { layout: entries, key: [nasIp, sessionId], persistent: true }
                others: { layout: blocks, persistent: true, block-records: 20 }
              pipelines:
                network:
                  feed: { pcap: { path: network.pcap, secret: %s } }
                  schema: radius-accounting
                  reject-thresholds: { warn-at: none }
                  steps:
                    - filter: nasIp != '10.34.0.5'
                    - route:
                        - { when: status == 'Stop', to: stops }
                        - { otherwise: others }
            """.formatted(AccountingCapture.SECRET));

        Kills.onTheWay(folder, "network", KILLS, LONGEST_LIFE_MILLIS, seed);
        String[] arguments = {"run", "config.yml", "--server.port=0", "--exit-when-done"};
        assertThat(MillraceProcess.run(folder, arguments)).isZero();

        verify(capture);
    }

    private void verify(AccountingCapture capture) {
        Schema schema = Schemas.builtIn().get("radius-accounting");
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder.resolve("data")))) {
            List<String> key = List.of("nasIp", "sessionId");
            store.open(new RegionDefinition("stops", Layout.ENTRIES, 0, true, schema, key, 1));
            store.open(new RegionDefinition("others", Layout.BLOCKS, 0, true, schema, List.of(), 20));
            store.open(Rejects.region("network-rejected", true));

            Set<ByteBuffer> stops = expected(capture, true);
            values("stops").forEach(value -> take(withoutChecksum((byte[]) value), stops));
            assertThat(stops).as("not in the region of entries").isEmpty();

            Set<ByteBuffer> others = expected(capture, false);
            values("others")
                    .forEach(block -> StoredRequests.ofBlock((byte[]) block).forEach(request -> take(request, others)));
            assertThat(others).as("not in the region of blocks").isEmpty();

            List<Reject> rejects = Rejects.of(store, "network-rejected");
            assertThat(rejects)
                    .hasSameSizeAs(capture.rejects().entrySet())
                    .allSatisfy(reject -> assertThat(reject.bytes())
                            .isEqualTo(capture.rejects().get(reject.position())));
            assertThat(rejects.stream().map(Reject::position).distinct()).hasSameSizeAs(rejects);
        }
    }

    private static Collection<?> values(String region) {
        return CacheFactory.getAnyInstance().getRegion(region).values();
    }

    private static byte[] withoutChecksum(byte[] entry) {
        return Arrays.copyOf(entry, entry.length - Integer.BYTES);
    }

    private static void take(byte[] request, Set<ByteBuffer> expected) {
        assertThat(expected.remove(ByteBuffer.wrap(request)))
                .as("stored twice, or should not be")
                .isTrue();
    }

    /** The rules of the configuration, worked out by hand. */
    private static Set<ByteBuffer> expected(AccountingCapture capture, boolean stops) {
        Set<ByteBuffer> expected = new HashSet<>();
        for (byte[] request : capture.requests().values()) {
            boolean kept = attribute(request, NAS_IP)[3] != 5;
            if (kept && (attribute(request, STATUS)[3] == STOP) == stops) {
                assertThat(expected.add(ByteBuffer.wrap(request))).isTrue();
            }
        }
        assertThat(expected).isNotEmpty();
        return expected;
    }
}
