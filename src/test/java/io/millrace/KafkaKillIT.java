package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.kafka.KafkaBroker;
import io.millrace.kafka.KafkaTopics;
import io.millrace.nemesis.Kills;
import io.millrace.pipeline.TradeFile;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Query;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise of the feed of Kafka: whatever is killed, whenever, each message of a committed transaction is stored
 * once, and none of an aborted one. Partitions are added meanwhile, and the broker restarts.
 */
@Tag("long")
class KafkaKillIT {

    private static final int KILLS = Kills.count(3);
    private static final int LONGEST_LIFE_MILLIS = 800;
    private static final int TRADES = 120_000;

    private final List<byte[]> trades =
            TradeFile.random(TRADES, 46).stream().map(TradeFile.Trade::bytes).toList();

    @TempDir
    Path folder;

    @Test
    void shouldStoreEachMessageOnceWheneverItIsKilled() throws Exception {
        Random random = new Random(Kills.seed());
        try (KafkaBroker broker = KafkaBroker.start(folder.resolve("broker"));
                KafkaTopics topics = new KafkaTopics(broker.bootstrapServers());
                KafkaTopics.Transactions transactions = topics.transactions("trades")) {
            topics.create("trades", 2);
            Files.writeString(folder.resolve("config.yml"), """
                    millrace:
                      regions:
                        all: { layout: blocks, persistent: true, block-records: 500 }
                      pipelines:
                        trades:
                          partitions: 8
                          feed: { kafka: { bootstrap-servers: 'BROKERS', topics: trades } }
                          schema: trade
                          steps:
                            - to: all
                    """.replace("BROKERS", broker.bootstrapServers()));
            int lives = KILLS + 1;
            for (int life = 0; life < lives; life++) {
                if (life == 1) {
                    topics.addPartitions("trades", 3);
                }
                try (MillraceProcess millrace = MillraceProcess.start(folder, "run", "config.yml", "--server.port=0")) {
                    Kills.awaitRecords(send(transactions, life, lives, millrace), "trades");
                    if (life < KILLS) {
                        Kills.atAnyMoment(millrace, "trades", random.nextInt(LONGEST_LIFE_MILLIS));
                    } else {
                        broker.stop();
                        broker.start();
                        await().until(() -> millrace.page("/api/regions/all").contains("\"records\":" + TRADES));
                        millrace.stop();
                    }
                }
            }
        }
        requireStoredOnce();
    }

    /** Sends the trades of a life in transactions to the partitions, and others in transactions that are aborted. */
    private MillraceProcess send(KafkaTopics.Transactions transactions, int life, int lives, MillraceProcess millrace) {
        int from = TRADES / lives * life;
        int to = life == lives - 1 ? TRADES : TRADES / lives * (life + 1);
        int partitions = life == 0 ? 2 : 3;
        for (int at = from, sent = 0; at < to; at += 1_000, sent++) {
            transactions.begin("trades", sent % partitions, new ArrayList<>(trades.subList(0, 100)));
            transactions.abort();
            transactions.begin(
                    "trades", sent % partitions, new ArrayList<>(trades.subList(at, Math.min(to, at + 1_000))));
            transactions.commit();
        }
        return millrace;
    }

    private void requireStoredOnce() {
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder.resolve("data")))) {
            store.open(new RegionDefinition(
                    "all", Layout.BLOCKS, 0, true, Schemas.builtIn().get("trade"), List.of(), 500));
            assertThat(store.query("all", new Query(null, List.of("id"), List.of(), 10_000_000)).records().stream()
                            .mapToLong(record -> (Long) record.get("id"))
                            .sorted())
                    .containsExactly(LongStream.rangeClosed(1, TRADES).boxed().toArray(Long[]::new));
        }
    }
}
