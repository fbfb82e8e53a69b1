package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.feed.tcp.TcpFeed;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.TradeFile;
import io.millrace.store.Rejects;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import io.millrace.store.reject.Reject;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The senders of {@code examples/tcp-sender} lose nothing where their connection is cut in the middle of a record. */
class TcpSenderTest {

    private static final Path EXAMPLES = Path.of("examples", "tcp-sender");
    private static final int RECORDS = 6_000;
    private static final int CUT_AT = 4_000 * TradeFile.LENGTH + 7;

    @TempDir
    Path folder;

    static Stream<List<String>> senders() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Stream.of(
                List.of(java, EXAMPLES.resolve("Sender.java").toString()),
                List.of("python3", EXAMPLES.resolve("sender.py").toString()));
    }

    @ParameterizedTest
    @MethodSource("senders")
    void shouldResumeWhereTheAcknowledgementsEnded(List<String> command) throws Exception {
        Path trades = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(RECORDS, 3));
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(MillraceApplication.class)
                        .run(
                                "--server.port=0",
                                "--spring.config.additional-location=file:" + EXAMPLES.resolve("tcp.yml"),
                                "--millrace.data=" + folder,
                                "--millrace.pipelines.lines.feed.tcp.port=0");
                CuttingProxy proxy = new CuttingProxy(port(context))) {
            List<String> call = new ArrayList<>(command);
            call.addAll(List.of("127.0.0.1", "" + proxy.port(), trades.toString(), "" + TradeFile.LENGTH));
            Process sender = new ProcessBuilder(call).redirectErrorStream(true).start();
            String output = new String(sender.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(sender.waitFor()).as(output).isZero();
            assertThat(output).contains("connection lost", "stored " + RECORDS + " records");
            Store store = context.getBean(Store.class);
            long[] ids =
                    store
                            .query("trades", new Query(null, List.of("id"), List.of("id"), Query.MAX_LIMIT))
                            .records()
                            .stream()
                            .mapToLong(record -> (Long) record.getOrDefault("id", 0L))
                            .toArray();
            assertThat(LongStream.of(ids).distinct().toArray())
                    .isEqualTo(LongStream.rangeClosed(1, RECORDS).toArray());
            // What was sent again is what was not acknowledged: ids begin at 1.
            long resumedAt = proxy.firstIdOfSecondConnection() - 1;
            assertThat(proxy.acknowledged()).contains(resumedAt);
            assertThat(resumedAt).isPositive();
            long storedFirst = CUT_AT / TradeFile.LENGTH;
            assertThat(ids).hasSize((int) (storedFirst + RECORDS - resumedAt));
            assertThat(resumedAt).isLessThan(storedFirst);

            await().until(() -> PipelineStatus.of(pipeline(context)).rejected() == 1);
            await().until(() -> Rejects.of(store, "lines-rejected").size() == 1);
            Reject cut = Rejects.of(store, "lines-rejected").getFirst();
            assertThat(cut.detail())
                    .matches(
                            "Truncated record from 127\\.0\\.0\\.1:\\d+: the connection ended after 7 of the record's 39 bytes\\.");
        }
    }

    private static Pipeline pipeline(ConfigurableApplicationContext context) {
        return context.getBean(Pipelines.class).named("lines").orElseThrow();
    }

    private static int port(ConfigurableApplicationContext context) {
        TcpFeed feed = (TcpFeed) pipeline(context).feed();
        await().until(() -> feed.port() != 0);
        return feed.port();
    }

    /** Passes bytes on, both ways, and cuts the first connection in the middle of a record. */
    private static final class CuttingProxy implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        private final int target;
        private final Set<Long> acknowledged = new ConcurrentSkipListSet<>();
        private volatile long firstId;

        /** Whether what the feed says is lost on its way. */
        private volatile boolean lost;

        CuttingProxy(int target) throws IOException {
            this.target = target;
            Thread.startVirtualThread(this::run);
        }

        int port() {
            return server.getLocalPort();
        }

        Set<Long> acknowledged() {
            return acknowledged;
        }

        long firstIdOfSecondConnection() {
            return firstId;
        }

        private void run() {
            try {
                cutFirst();
                passSecond();
            } catch (IOException | InterruptedException e) {
                // the sender is seen to fail then
            }
        }

        private void cutFirst() throws IOException, InterruptedException {
            try (Socket sender = server.accept();
                    Socket feed = new Socket(InetAddress.getLoopbackAddress(), target)) {
                Thread back = Thread.startVirtualThread(() -> passAcknowledgements(feed, sender));
                InputStream in = sender.getInputStream();
                feed.getOutputStream().write(in.readNBytes(CUT_AT / 2));
                while (acknowledged.isEmpty()) {
                    Thread.sleep(5);
                }
                lost = true;
                feed.getOutputStream().write(in.readNBytes(CUT_AT - CUT_AT / 2));
                feed.shutdownOutput();
                back.join();
                lost = false;
                sender.setSoLinger(true, 0);
            }
        }

        private void passSecond() throws IOException, InterruptedException {
            try (Socket sender = server.accept();
                    Socket feed = new Socket(InetAddress.getLoopbackAddress(), target)) {
                Thread back = Thread.startVirtualThread(() -> passAcknowledgements(feed, sender));
                byte[] first = sender.getInputStream().readNBytes(TradeFile.LENGTH);
                firstId = ByteBuffer.wrap(first).getLong();
                feed.getOutputStream().write(first);
                sender.getInputStream().transferTo(feed.getOutputStream());
                feed.shutdownOutput();
                back.join();
            }
        }

        private void passAcknowledgements(Socket feed, Socket sender) {
            try {
                DataInputStream in = new DataInputStream(feed.getInputStream());
                DataOutputStream out = new DataOutputStream(sender.getOutputStream());
                while (true) {
                    long count = in.readLong();
                    if (!lost) {
                        out.writeLong(count);
                        acknowledged.add(count);
                    }
                }
            } catch (IOException e) {
                // the end
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
