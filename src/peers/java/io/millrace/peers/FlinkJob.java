package io.millrace.peers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.FilterFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * The job in Flink: a local cluster with two slots, all operators of a slot in one task, and a checkpoint every second,
 * exactly once. Its targets are counters, or two topics. Created when it has received its first record, which it holds
 * until {@link #run}; that returns when the last checkpoint is complete. There may be one job at a time.
 */
public final class FlinkJob implements Runnable, AutoCloseable {

    private static final int PARALLELISM = 2;
    private static final String TRANSACTION_TIMEOUT_MILLIS = "600000";
    private static final TypeInformation<byte[]> BYTES = PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
    private static final OutputTag<byte[]> SELLS = new OutputTag<>("sells", BYTES);

    /** Of the running job: functions are serialized, these are not. */
    private static volatile Gate gate = new Gate();

    private static volatile Map<Integer, Long> desks = Map.of();

    private final JobClient job;

    private static final class Values implements DeserializationSchema<byte[]>, SerializationSchema<byte[]> {

        private static final long serialVersionUID = 1;

        @Override
        public byte[] deserialize(byte[] message) {
            return message;
        }

        @Override
        public byte[] serialize(byte[] order) {
            return order;
        }

        @Override
        public boolean isEndOfStream(byte[] order) {
            return false;
        }

        @Override
        public TypeInformation<byte[]> getProducedType() {
            return BYTES;
        }
    }

    private static final class Large implements FilterFunction<byte[]> {

        private static final long serialVersionUID = 1;

        private transient Gate passed;

        @Override
        public boolean filter(byte[] order) {
            if (passed == null) {
                passed = gate;
            }
            passed.pass();
            return Orders.large(order);
        }
    }

    private static final class Enrich implements MapFunction<byte[], byte[]> {

        private static final long serialVersionUID = 1;

        private transient Map<Integer, Long> table;

        @Override
        public byte[] map(byte[] order) {
            if (table == null) {
                table = desks;
            }
            return Orders.enrich(order, table);
        }
    }

    private static final class Route extends ProcessFunction<byte[], byte[]> {

        private static final long serialVersionUID = 1;

        @Override
        public void processElement(byte[] order, Context context, Collector<byte[]> buys) {
            if (Orders.buy(order)) {
                buys.collect(order);
            } else {
                context.output(SELLS, order);
            }
        }
    }

    /**
     * @param settings {@code servers}, {@code topic}, the file {@code desks}, and optionally the topics {@code buys}
     *     and {@code sells}
     */
    public FlinkJob(Map<String, String> settings) throws Exception {
        gate = new Gate();
        desks = Orders.desks(Path.of(settings.get("desks")));
        CountingSink.COUNTS[0].set(0);
        CountingSink.COUNTS[1].set(0);
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(1));
        configuration.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.set(TaskManagerOptions.NUM_TASK_SLOTS, PARALLELISM);
        configuration.set(RestOptions.BIND_PORT, "0");
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(PARALLELISM, configuration);
        Properties properties = new Properties();
        properties.put("isolation.level", "read_committed");
        KafkaSource<byte[]> source = KafkaSource.<byte[]>builder()
                .setBootstrapServers(settings.get("servers"))
                .setTopics(settings.get("topic"))
                .setGroupId("flink-" + System.nanoTime())
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setBounded(OffsetsInitializer.latest())
                .setValueOnlyDeserializer(new Values())
                .setProperties(properties)
                .build();
        SingleOutputStreamOperator<byte[]> buys = environment
                .fromSource(source, WatermarkStrategy.noWatermarks(), "orders")
                .filter(new Large())
                .map(new Enrich())
                .process(new Route());
        target(buys, 0, settings);
        target(buys.getSideOutput(SELLS), 1, settings);
        job = environment.executeAsync();
        gate.awaitRecord();
    }

    private static void target(DataStream<byte[]> orders, int target, Map<String, String> settings) {
        orders.sinkTo(new CountingSink(target));
        String topic = settings.get(target == 0 ? "buys" : "sells");
        if (topic != null) {
            orders.sinkTo(topic(settings.get("servers"), topic));
        }
    }

    private static Sink<byte[]> topic(String servers, String topic) {
        return KafkaSink.<byte[]>builder()
                .setBootstrapServers(servers)
                .setRecordSerializer(KafkaRecordSerializationSchema.<byte[]>builder()
                        .setTopic(topic)
                        .setValueSerializationSchema(new Values())
                        .build())
                .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                .setTransactionalIdPrefix(topic + System.nanoTime())
                .setProperty("transaction.timeout.ms", TRANSACTION_TIMEOUT_MILLIS)
                .build();
    }

    @Override
    public void run() {
        gate.open();
        try {
            job.getJobExecutionResult().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Does nothing: a local cluster ends with its job. */
    @Override
    public void close() {}

    /** Returns the number of records of each target; once it has run. */
    @Override
    public String toString() {
        return CountingSink.COUNTS[0] + " " + CountingSink.COUNTS[1];
    }
}
