package trades;

import java.nio.ByteBuffer;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.AbstractDeserializationSchema;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Large trades to a topic for each side, in Flink. */
public final class FlinkRoute {

    private FlinkRoute() {}

    private static final class Values extends AbstractDeserializationSchema<byte[]> {

        private static final long serialVersionUID = 1;

        @Override
        public byte[] deserialize(byte[] message) {
            return message;
        }
    }

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        environment.enableCheckpointing(1_000);
        KafkaSource<byte[]> source = KafkaSource.<byte[]>builder()
                .setBootstrapServers("localhost:9092")
                .setTopics("trades")
                .setGroupId("large-trades")
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setProperty("isolation.level", "read_committed")
                .setValueOnlyDeserializer(new Values())
                .build();
        DataStream<byte[]> large = environment
                .fromSource(source, WatermarkStrategy.noWatermarks(), "trades")
                .filter(trade -> ByteBuffer.wrap(trade).getLong(12) > 100_000_000);
        large.filter(trade -> trade[10] == 0).sinkTo(topic("large-buys"));
        large.filter(trade -> trade[10] != 0).sinkTo(topic("large-sells"));
        environment.execute("large-trades");
    }

    private static KafkaSink<byte[]> topic(String name) {
        return KafkaSink.<byte[]>builder()
                .setBootstrapServers("localhost:9092")
                .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                .setTransactionalIdPrefix(name)
                .setProperty("transaction.timeout.ms", "600000")
                .setRecordSerializer(KafkaRecordSerializationSchema.<byte[]>builder()
                        .setTopic(name)
                        .setValueSerializationSchema(trade -> trade)
                        .build())
                .build();
    }
}
