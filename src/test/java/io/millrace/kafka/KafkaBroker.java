package io.millrace.kafka;

import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.jspecify.annotations.Nullable;

/**
 * A broker of Kafka that is its own controller, or one of several that form a cluster. Listens on loopback. Its port
 * and its data stay the same when it is stopped and started again.
 *
 * <p>As a program, {@code KafkaBroker FOLDER PORT CONTROLLER-PORT} runs a broker alone until the process is stopped.
 */
public final class KafkaBroker implements AutoCloseable {

    private static final String CLUSTER_ID = "bWlsbHJhY2UtdGVzdC0wMQ";

    private final Path folder;
    private final int node;
    private final List<Ports> nodes;
    private final Map<String, String> settings;
    private @Nullable KafkaRaftServer server;

    /**
     * Ports of a node.
     *
     * @param clients where clients connect
     * @param controller where the other nodes connect
     */
    public record Ports(int clients, int controller) {

        /** Returns ports that are free at the moment. */
        public static Ports free() {
            return new Ports(freePort(), freePort());
        }

        private static int freePort() {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

    /**
     * @param folder for its data
     * @param node its number in the list, from 0
     * @param nodes of the cluster
     * @param settings properties of the broker that replace those of the tests
     */
    public KafkaBroker(Path folder, int node, List<Ports> nodes, Map<String, String> settings) {
        this.folder = folder;
        this.node = node;
        this.nodes = List.copyOf(nodes);
        this.settings = Map.copyOf(settings);
    }

    /** Starts a broker alone. */
    public static KafkaBroker start(Path folder) {
        return start(folder, Map.of());
    }

    /** Starts a broker alone, with other properties. */
    public static KafkaBroker start(Path folder, Map<String, String> settings) {
        KafkaBroker broker = new KafkaBroker(folder, 0, List.of(Ports.free()), settings);
        broker.start();
        return broker;
    }

    static void main(String[] args) throws InterruptedException {
        int port = Integer.parseInt(args[1]);
        new KafkaBroker(Path.of(args[0]), 0, List.of(new Ports(port, Integer.parseInt(args[2]))), Map.of()).start();
        System.out.println("Kafka is listening: port=" + port);
        new CountDownLatch(1).await();
    }

    /** Starts it, with the data that it has. */
    public void start() {
        try {
            new Formatter()
                    .setClusterId(CLUSTER_ID)
                    .setNodeId(node + 1)
                    .addDirectory(folder.toString())
                    .setMetadataLogDirectory(folder.toString())
                    .setControllerListenerName("CONTROLLER")
                    .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                    .setIgnoreFormatted(true)
                    .setPrintStream(new PrintStream(PrintStream.nullOutputStream(), true))
                    .run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        KafkaRaftServer started = new KafkaRaftServer(KafkaConfig.fromProps(properties()), Time.SYSTEM);
        started.startup();
        server = started;
    }

    private Properties properties() {
        Ports own = nodes.get(node);
        Properties properties = new Properties();
        properties.putAll(Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", Integer.toString(node + 1)),
                Map.entry(
                        "listeners",
                        "PLAINTEXT://127.0.0.1:" + own.clients() + ",CONTROLLER://127.0.0.1:" + own.controller()),
                Map.entry("controller.listener.names", "CONTROLLER"),
                Map.entry("controller.quorum.voters", voters()),
                Map.entry("log.dirs", folder.toString()),
                Map.entry("num.partitions", "1"),
                Map.entry("auto.create.topics.enable", "false"),
                Map.entry("offsets.topic.num.partitions", "1"),
                Map.entry("offsets.topic.replication.factor", Integer.toString(Math.min(3, nodes.size()))),
                Map.entry("transaction.state.log.num.partitions", "2"),
                Map.entry("transaction.state.log.replication.factor", Integer.toString(Math.min(3, nodes.size()))),
                Map.entry("transaction.state.log.min.isr", "1"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                Map.entry("log.initial.task.delay.ms", "500"),
                Map.entry("log.retention.check.interval.ms", "500"),
                Map.entry("log.segment.delete.delay.ms", "100"),
                Map.entry("num.network.threads", "2"),
                Map.entry("num.io.threads", "2"),
                Map.entry("log.cleaner.dedupe.buffer.size", "2097152")));
        properties.putAll(settings);
        return properties;
    }

    private String voters() {
        return IntStream.range(0, nodes.size())
                .mapToObj(i -> i + 1 + "@127.0.0.1:" + nodes.get(i).controller())
                .collect(Collectors.joining(","));
    }

    /** Returns where clients connect first. */
    public String bootstrapServers() {
        return nodes.stream().map(ports -> "127.0.0.1:" + ports.clients()).collect(Collectors.joining(","));
    }

    /** Stops it; its data stay. */
    public void stop() {
        KafkaRaftServer running = Objects.requireNonNull(server);
        running.shutdown();
        running.awaitShutdown();
        server = null;
    }

    @Override
    public void close() {
        if (server != null) {
            stop();
        }
    }
}
