package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.kafka.KafkaBroker;
import io.millrace.kafka.KafkaTopics;
import io.millrace.nemesis.Kills;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.TradeFile.Trade;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise of an output to Kafka: whatever is killed, whenever, each record is in the topic once, and in order, for
 * readers of committed transactions.
 */
class KafkaOutputKillIT {

    private static final int KILLS = Kills.count(2);
    private static final int RECORDS = KILLS * 200_000;
    private static final int LONGEST_LIFE_MILLIS = 400;

    @TempDir
    Path folder;

    @TempDir
    Path brokerFolder;

    @Test
    void shouldWriteEachRecordOnceWheneverItIsKilled() throws Exception {
        List<Trade> trades = TradeFile.random(RECORDS, 29);
        TradeFile.write(folder.resolve("trades.bin"), trades);
        try (KafkaBroker broker = KafkaBroker.start(brokerFolder);
                KafkaTopics topics = new KafkaTopics(broker.bootstrapServers())) {
            topics.create("copies", 1);
            Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  flush: 20ms
                  outputs:
                    copies: { kafka: { bootstrap-servers: '%s', topic: copies, key: id, format: record } }
                  pipelines:
                    trades:
                      feed: { file: trades.bin }
                      schema: trade
                      steps:
                        - filter: id %% 4 == 0
                        - to: output:copies
                """.formatted(broker.bootstrapServers()));
            Kills.onTheWay(folder, "trades", KILLS, LONGEST_LIFE_MILLIS, Kills.seed());
            String[] arguments = {"run", "config.yml", "--server.port=0", "--exit-when-done"};
            assertThat(MillraceProcess.run(folder, arguments)).isZero();

            assertThat(topics.read("copies").stream()
                            .flatMap(message -> TradeFile.read(message.value()).stream())
                            .toList())
                    .isEqualTo(
                            trades.stream().filter(trade -> trade.id() % 4 == 0).toList());
        }
    }
}
