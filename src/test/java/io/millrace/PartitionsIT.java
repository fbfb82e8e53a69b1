package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordCodec;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.kafka.TestBroker;
import io.millrace.nemesis.LocalCluster;
import io.millrace.nemesis.ServiceNode;
import io.millrace.pipeline.TradeFile;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Three ingest nodes that share the 16 partitions of a pipeline: each record is stored once, whatever they do. */
@Tag("long")
class PartitionsIT {

    private static final int PARTITIONS = 16;
    /** Four stripes for each partition. */
    private static final int RECORDS = 4 * PARTITIONS * (1 << 20) / TradeFile.LENGTH;

    private static final Pattern OWN = Pattern.compile("\"partition\":\\d+,\"state\":\"(?:running|waiting|done)\"");
    private static final Pattern SUM = Pattern.compile("\"sum\\(trades\\)\":(\\d+)");
    private static final Pattern COUNT = Pattern.compile("\"records\":(\\d+)");

    @RegisterExtension
    static final TestBroker KAFKA = new TestBroker();

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // created by the test
    private LocalCluster cluster;

    @AfterEach
    void killAll() {
        cluster.close();
    }

    private static int owned(ServiceNode node) {
        try {
            return (int) OWN.matcher(Objects.requireNonNull(node.millrace().get("/api/pipelines/trades")))
                    .results()
                    .count();
        } catch (IOException | InterruptedException | NullPointerException e) {
            return 0;
        }
    }

    private static void awaitBalanced(ServiceNode... nodes) {
        await().until(() -> {
            int all = 0;
            for (ServiceNode node : nodes) {
                int owned = owned(node);
                if (owned < PARTITIONS / nodes.length || owned > PARTITIONS / nodes.length + 1) {
                    return false;
                }
                all += owned;
            }
            return all == PARTITIONS;
        });
    }

    private static void awaitStored(ServiceNode node) {
        await().until(() -> {
            String region = node.millrace().get("/api/regions/trades");
            return region != null
                    && COUNT.matcher(region).results().anyMatch(count -> Integer.parseInt(count.group(1)) == RECORDS);
        });
    }

    private static byte[] records() {
        byte[] records = new byte[RECORDS * TradeFile.LENGTH];
        RecordGenerator.of(Schemas.builtIn().get("trade"), 1).fill(records, 0, RECORDS);
        return records;
    }

    @Test
    void shouldStoreEachRecordOfAFileOnceWhateverTheNodesDo() throws Exception {
        byte[] records = records();
        Files.write(folder.resolve("trades.bin"), records);
        run("{ file: trades.bin }", records);
    }

    /** The records of a key are in one partition of the topic or in several: the region has the latest of them. */
    @Test
    void shouldStoreEachMessageOnceWhateverTheNodesDo() throws Exception {
        byte[] records = records();
        KAFKA.topics().create("trades", PARTITIONS);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            List<byte @Nullable []> values = new ArrayList<>();
            for (int i = partition; i < RECORDS; i += PARTITIONS) {
                values.add(Arrays.copyOfRange(records, i * TradeFile.LENGTH, (i + 1) * TradeFile.LENGTH));
            }
            KAFKA.topics().send("trades", partition, values);
        }
        run("{ kafka: { bootstrap-servers: '" + KAFKA.broker().bootstrapServers() + "', topics: trades } }", records);
    }

    private void run(String feed, byte[] records) throws Exception {
        // Small blocks, one at a time, so that there is still something to do when nodes start and end.
        Files.writeString(folder.resolve("config.yml"), """
            millrace:
              geode: { puts-in-flight: 1 }
              regions:
                trades: { layout: blocks, block-records: 16 }
                sides:  { layout: blocks }
                latest: { layout: entries, key: currency1, latest: id }
              pipelines:
                trades:
                  feed: %s
                  schema: trade
                  partitions: %d
                  lanes: 2
                  steps:
                    - measure: { name: sides, by: buySell, every: 1s, values: { trades: count() }, to: sides }
                    - to: [trades, latest]
            """.formatted(feed, PARTITIONS));
        cluster = new LocalCluster(folder);
        cluster.locator().restart();
        cluster.server("one", "config.yml").restart();
        ServiceNode a = cluster.ingest("a", "config.yml");
        ServiceNode b = cluster.ingest("b", "config.yml");
        ServiceNode c = cluster.ingest("c", "config.yml");

        a.restart();
        awaitBalanced(a);
        b.restart();
        c.restart();
        awaitBalanced(a, b, c);
        b.kill();
        awaitBalanced(a, c);
        b.restart();
        awaitBalanced(a, b, c);
        c.pause();
        awaitBalanced(a, b);
        c.resume();
        awaitBalanced(a, b, c);
        a.shutDown();
        awaitBalanced(b, c);
        awaitStored(b);

        requireEachOnce(b);
        await().untilAsserted(() -> requireLatest(b, records));
        await().until(() -> counted(b) == RECORDS);
    }

    /** Returns how many records are in the rows of closed windows; each node counts in windows of its own clock. */
    private static int counted(ServiceNode node) throws Exception {
        Matcher sum = SUM.matcher(
                Objects.requireNonNull(node.millrace().get("/api/regions/sides/aggregate?values=sum(trades)")));
        return sum.find() ? Integer.parseInt(sum.group(1)) : 0;
    }

    private static void requireLatest(ServiceNode node, byte[] records) throws Exception {
        RecordCodec codec = RecordCodec.of(Schemas.builtIn().get("trade"));
        Map<String, String> latest = new TreeMap<>();
        for (int at = 0; at < records.length; at += TradeFile.LENGTH) {
            latest.put(
                    codec.codec("currency1").text(records, at),
                    codec.codec("id").text(records, at));
        }
        String entries = node.millrace().get("/api/regions/latest/records?format=csv&select=currency1,id");
        assertThat(Objects.requireNonNull(entries).lines().skip(1).sorted())
                .containsExactlyElementsOf(latest.entrySet().stream()
                        .map(entry -> entry.getKey() + "," + entry.getValue())
                        .toList());
    }

    private void requireEachOnce(ServiceNode node) throws Exception {
        BitSet seen = new BitSet(RECORDS + 1);
        String ids = node.millrace().get("/api/regions/trades/records?format=csv&select=id");
        List<String> twice = Objects.requireNonNull(ids)
                .lines()
                .skip(1)
                .filter(id -> {
                    boolean known = seen.get(Integer.parseInt(id));
                    seen.set(Integer.parseInt(id));
                    return known;
                })
                .toList();
        assertThat(twice).isEmpty();
        assertThat(seen.cardinality()).isEqualTo(RECORDS);
        assertThat(seen.length()).isEqualTo(RECORDS + 1);
    }
}
