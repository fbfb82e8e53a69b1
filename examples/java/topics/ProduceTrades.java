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
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
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
        // A broker that has not opened a new partition yet could refuse a batch and accept the one behind it, after
        // which
        // it never accepts the first: one request at a time.
        Map<String, Object> settings = Map.of("bootstrap.servers", args[0], "max.in.flight.requests.per.connection", 1);
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int round = 0; round < rounds; round++) {
                for (int at = 0; at + LENGTH <= trades.length; at += LENGTH) {
                    sent.add(
                            producer.send(new ProducerRecord<>("trades", Arrays.copyOfRange(trades, at, at + LENGTH))));
                }
                sent.add(producer.send(new ProducerRecord<>("trades", new byte[] {1, 2, 3})));
            }
        }
        for (Future<RecordMetadata> message : sent) {
            message.get(); // fails if it was not stored
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
