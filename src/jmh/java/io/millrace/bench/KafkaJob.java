package io.millrace.bench;

import io.millrace.pipeline.PipelineStatus;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.util.FileSystemUtils;

/**
 * The job, ready to run: reads the topic {@code orders}, filters and enriches the orders, and routes them to two
 * targets. Closing it checks nothing; {@link #targets} returns what to check.
 */
interface KafkaJob extends AutoCloseable {

    /** Processes all orders; returns when they are committed. */
    void run();

    /** Returns the numbers of orders of both targets; once it is closed. */
    String targets();

    @Override
    void close();

    /** The job in Millrace. */
    final class Millrace implements KafkaJob {

        private final Path folder;
        private final int orders;
        private final ConfiguredPipeline pipeline;
        private String targets = "";

        /**
         * Opens the pipeline.
         *
         * @param toTopics whether the targets are the topics {@code buys} and {@code sells}, and not regions
         */
        Millrace(String servers, int orders, boolean toTopics) throws IOException {
            this.orders = orders;
            folder = Files.createTempDirectory(W1Data.FOLDER, "job");
            KafkaJobData.writeSchema(folder.resolve("schemas"));
            String targets = toTopics ? """
                      outputs:
                        buys:  { kafka: { bootstrap-servers: '%1$s', topic: buys,  format: record } }
                        sells: { kafka: { bootstrap-servers: '%1$s', topic: sells, format: record } }
                    """.formatted(servers) : """
                      regions:
                        buys:  { layout: blocks }
                        sells: { layout: blocks }
                    """;
            Path configuration = Files.writeString(folder.resolve("job.yml"), """
                    millrace:
                      schemas: %1$s
                      tables:
                        desks: { file: %2$s, key: id }
                    %3$s  pipelines:
                        orders:
                          partitions: 4
                          lanes: 2
                          feed: { kafka: { bootstrap-servers: '%4$s', topics: orders } }
                          schema: order100
                          steps:
                            - filter: currency1 != 'JPY' and amount1 > 1000000
                            - enrich: { table: desks, key: counterparty, add: { desk: desk } }
                            - route:
                                - { when: buySell == 'Buy', to: %5$sbuys }
                                - { otherwise: %5$ssells }
                    """.formatted(
                            folder.resolve("schemas").toAbsolutePath(),
                            KafkaJobData.writeDesks().toAbsolutePath(),
                            targets,
                            servers,
                            toTopics ? "output:" : ""));
            pipeline = new ConfiguredPipeline(
                    ConfiguredPipeline.Planned.of(configuration),
                    new GeodeStore(toTopics ? GeodeOptions.inFolder(folder.resolve("data")) : GeodeOptions.inMemory()));
        }

        @Override
        public void run() {
            pipeline.start();
            PipelineStatus status = pipeline.status();
            while (status.kept() + status.dropped() < orders) {
                ConfiguredPipeline.pause();
                status = pipeline.status();
            }
        }

        @Override
        public String targets() {
            return targets;
        }

        @Override
        public void close() {
            targets = pipeline.status().keptByRegion().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(target -> target.getValue().toString())
                    .reduce((buys, sells) -> buys + " " + sells)
                    .orElse("");
            pipeline.close();
            delete(folder);
        }
    }

    /** The job in another program, in its process. */
    final class Peer implements KafkaJob {

        private final PeerProcess process;
        private final int orders;
        private final Path folder;
        private String targets = "";

        /** Has the process start the job, and waits until that has received its first order, which it holds. */
        Peer(PeerProcess process, String servers, int orders, boolean toTopics) throws IOException {
            this.process = process;
            this.orders = orders;
            folder = Files.createTempDirectory(W1Data.FOLDER, "job");
            String open = "open servers=%s topic=orders records=%d desks=%s folder=%s"
                    .formatted(servers, orders, KafkaJobData.writeDesks(), folder);
            process.answer(toTopics ? open + " buys=buys sells=sells" : open, "opened");
        }

        @Override
        public void run() {
            String bytes = process.answer("run", "committed ");
            System.out.printf("%nbytes allocated for each order: %.1f%n", Double.parseDouble(bytes) / orders);
        }

        @Override
        public String targets() {
            return targets;
        }

        @Override
        public void close() {
            targets = process.answer("close", "closed ");
            delete(folder);
        }
    }

    private static void delete(Path folder) {
        try {
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
