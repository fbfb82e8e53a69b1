package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.feed.generator.RecordGenerator;
import io.millrace.nemesis.LocalCluster;
import io.millrace.nemesis.ServiceNode;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two ingest nodes with the same pipelines, on a cluster of a locator and a server: every record is stored once. */
@Tag("long")
class TakeoverIT {

    private static final int TRADES = 90_000;
    private static final int SENT = 100_000;

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // created before each test
    private LocalCluster cluster;

    @SuppressWarnings("NullAway.Init") // started before each test
    private MillraceProcess server;

    @BeforeEach
    void startCluster() throws Exception {
        Files.writeString(folder.resolve("config.yml"), """
            millrace:
              regions:
                trades: { layout: blocks, block-records: 256 }
                sent: { layout: blocks, block-records: 256 }
              pipelines:
                trades:
                  feed: { generator: { seed: 1, count: %d, rate: 5000 } }
                  schema: trade
                  steps:
                    - filter: id %% 3 != 0
                    - to: trades
                sent:
                  feed: { tcp: { port: 0, framing: fixed, acknowledge: { every: 1000 } } }
                  schema: trade
                  steps:
                    - to: sent
            """.formatted(TRADES));
        cluster = new LocalCluster(folder);
        cluster.locator().restart();
        ServiceNode one = cluster.server("one", "config.yml");
        one.restart();
        server = one.millrace();
    }

    private MillraceProcess ingest(String instance, int port) throws Exception {
        ServiceNode ingest = cluster.ingest(instance, "config.yml", "--millrace.pipelines.sent.feed.tcp.port=" + port);
        ingest.restart();
        return ingest.millrace();
    }

    @AfterEach
    void killAll() {
        cluster.close();
    }

    private static void play(MillraceProcess millrace, boolean on) throws Exception {
        millrace.replay("trades", "{\"paused\":" + !on + "}");
    }

    @Test
    void shouldStoreEachRecordOnceWhereAPausedOwnerWakesUp() throws Exception {
        MillraceProcess first = ingest("first", FreePort.next());
        first.awaitText("/api/pipelines/trades", "\"state\":\"running\"");
        play(first, false); // else the feed could end before the other process has started
        MillraceProcess second = ingest("second", FreePort.next());
        second.awaitText("/api/pipelines/trades", "\"state\":\"standby\"");
        assertThat(second.get("/api/pipelines/trades")).contains("(process ");
        assertThat(second.get("/actuator/health/readiness"))
                .contains("\"standby\":{\"details\":{\"trades\":\"Runs in ");
        play(first, true);
        first.awaitText("/api/pipelines/trades", "\"state\":\"running\"");

        long start = System.nanoTime();
        first.signal("STOP");
        second.awaitText("/api/pipelines/trades", "\"state\":\"running\"");
        System.out.println("taken over " + (System.nanoTime() - start) / 1_000_000 + " ms after the owner was paused");
        play(second, false); // else the feed could end before it is killed
        first.signal("CONT");
        first.awaitText("/api/pipelines/trades", "\"state\":\"standby\"");
        assertThat(first.output()).contains("Pipeline trades was taken over by another process");
        assertThat(refusedWrites()).isPositive();

        // Back again, by a kill.
        play(second, true);
        second.awaitText("/api/pipelines/trades", "\"state\":\"running\"");
        start = System.nanoTime();
        second.kill();
        first.awaitText("/api/pipelines/trades", "\"owner\":null");
        System.out.println("taken over " + (System.nanoTime() - start) / 1_000_000 + " ms after the owner was killed");
        first.awaitText("/api/pipelines/trades", "\"state\":\"done\"");

        assertThat(ids(first, "trades").stream().map(Integer::valueOf).sorted())
                .isEqualTo(IntStream.rangeClosed(1, TRADES)
                        .filter(id -> id % 3 != 0)
                        .boxed()
                        .toList());
        assertThat(first.get("/api/pipelines/trades")).contains("\"inFlight\":0,");
    }

    /** As the server that refused them counts them. */
    private double refusedWrites() throws Exception {
        String metrics = Objects.requireNonNull(server.get("/actuator/prometheus"));
        return metrics.lines()
                .filter(line -> line.startsWith("millrace_store_writes_refused_total "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    private static List<String> ids(MillraceProcess millrace, String region) throws Exception {
        return Objects.requireNonNull(millrace.get("/api/regions/" + region + "/records?format=csv&select=id"))
                .lines()
                .skip(1)
                .toList();
    }

    @Test
    void shouldStoreAllThatTwoInstancesHaveAcknowledged() throws Exception {
        int[] ports = {FreePort.next(), FreePort.next()};
        MillraceProcess first = ingest("first", ports[0]);
        MillraceProcess second = ingest("second", ports[1]);
        for (MillraceProcess millrace : List.of(first, second)) {
            try {
                await().until(() -> millrace.output().contains("feed is listening"));
            } catch (Throwable e) {
                throw new AssertionError("listens on nothing:\n" + millrace.output(), e);
            }
        }
        List<Thread> senders = new ArrayList<>();
        List<Long> acknowledged = Collections.synchronizedList(new ArrayList<>());
        for (int port : ports) {
            senders.add(Thread.ofPlatform().start(() -> acknowledged.add(send(port))));
        }
        for (Thread sender : senders) {
            sender.join();
        }

        assertThat(acknowledged).containsExactly((long) SENT, (long) SENT);
        assertThat(first.get("/api/regions/sent")).contains("\"records\":" + 2 * SENT + ",");
    }

    /** Returns how many records were acknowledged. */
    private static long send(int port) {
        Schema schema = Schemas.builtIn().get("trade");
        byte[] records = new byte[SENT * schema.recordLength()];
        RecordGenerator.of(schema, port).fill(records, 0, SENT);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) TestTimeout.MAX.toMillis()); // closes it too, which ends the writer
            Thread writer = Thread.ofPlatform().start(() -> {
                try {
                    socket.getOutputStream().write(records);
                    socket.shutdownOutput();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            DataInputStream counts = new DataInputStream(socket.getInputStream());
            long last = 0;
            while (last < SENT) {
                last = counts.readLong();
            }
            writer.join();
            return last;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
