package trades;

import java.nio.ByteBuffer;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Branched;

/** Large trades to a topic for each side, in Kafka Streams. */
public final class StreamsRoute {

    private StreamsRoute() {}

    public static void main(String[] args) {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "large-trades");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:9092");
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        properties.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.ByteArraySerde.class);
        properties.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.ByteArraySerde.class);
        StreamsBuilder builder = new StreamsBuilder();
        builder.<byte[], byte[]>stream("trades")
                .filter((key, trade) -> ByteBuffer.wrap(trade).getLong(12) > 100_000_000)
                .split()
                .branch((key, trade) -> trade[10] == 0, Branched.withConsumer(buys -> buys.to("large-buys")))
                .defaultBranch(Branched.withConsumer(sells -> sells.to("large-sells")));
        new KafkaStreams(builder.build(), properties).start();
    }
}
