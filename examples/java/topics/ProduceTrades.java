package topics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Creates the topics of {@code examples/kafka/trades.yml} that do not exist, and sends the trades of a file again and
 * again, and with each round a message that is not a trade. Arguments: the addresses of brokers, the file, and the
 * number of rounds.
 */
public final class ProduceTrades {

    private static final int LENGTH = 39;

    private ProduceTrades() {}

    /** Runs the program. */
    public static void main(String[] args) throws IOException, ExecutionException, InterruptedException {
        createTopics(args[0]);
        byte[] trades = Files.readAllBytes(Path.of(args[1]));
        int rounds = Integer.parseInt(args[2]);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", args[0]), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int round = 0; round < rounds; round++) {
                for (int at = 0; at + LENGTH <= trades.length; at += LENGTH) {
                    var _ = producer.send(new ProducerRecord<>("trades", Arrays.copyOfRange(trades, at, at + LENGTH)));
                }
                var _ = producer.send(new ProducerRecord<>("trades", new byte[] {1, 2, 3}));
            }
        }
    }

    private static void createTopics(String servers) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            Set<String> known = admin.listTopics().names().get();
            List<NewTopic> missing = new ArrayList<>();
            for (String topic : List.of("trades", "alerts", "trades-dead")) {
                if (!known.contains(topic)) {
                    missing.add(new NewTopic(topic, 4, (short) 1));
                }
            }
            admin.createTopics(missing).all().get();
        }
    }
}
