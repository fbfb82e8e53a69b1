package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.TestTimeout;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.feed.tcp.CloseReason;
import io.millrace.feed.tcp.TcpFeed;
import io.millrace.metrics.PipelineMeters;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.store.Rejects;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.util.CacheWriterAdapter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** From sockets into regions of embedded Geode. */
class TcpPipelineTest {

    private static final String PASSWORD = "secret-of-the-test";

    @TempDir
    Path folder;

    private ApplicationContextRunner context() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SslAutoConfiguration.class,
                        IntegrationAutoConfiguration.class,
                        MillraceAutoConfiguration.class))
                .withPropertyValues(
                        "millrace.data=" + folder,
                        "millrace.regions.large.layout=blocks",
                        "millrace.pipelines.lines.schema=trade",
                        "millrace.pipelines.lines.feed.tcp.port=0",
                        "millrace.pipelines.lines.steps[0].filter=currency1 != 'JPY' and amount1 > 1000000",
                        "millrace.pipelines.lines.steps[1].to=large");
    }

    @Test
    void shouldBringTradesOfManySendersIntoARegion() {
        context()
                .withPropertyValues("millrace.pipelines.lines.feed.tcp.acknowledge.every=500")
                .run(context -> {
                    List<Trade> trades = TradeFile.random(20_000, 1);
                    List<Thread> senders = Stream.iterate(0, from -> from + 5_000)
                            .limit(4)
                            .map(from -> Thread.startVirtualThread(() -> assertThat(
                                            sendAll(context, trades.subList(from, from + 5_000)))
                                    .isEqualTo(5_000)))
                            .toList();
                    for (Thread sender : senders) {
                        sender.join();
                    }
                    long large = trades.stream().filter(Trade::large).count();
                    PipelineStatus status = status(context);
                    assertThat(status.in()).isEqualTo(20_000);
                    assertThat(status.kept()).isEqualTo(large);
                    assertThat(status.inFlight()).isZero();
                    assertThat(context.getBean(Store.class)
                                    .query("large", new Query(null, List.of("id"), List.of("id"), Query.MAX_LIMIT))
                                    .records())
                            .extracting(record -> record.get("id"))
                            .containsExactlyElementsOf(trades.stream()
                                    .filter(Trade::large)
                                    .<Object>map(Trade::id)
                                    .toList());
                    SimpleMeterRegistry meters = new SimpleMeterRegistry();
                    new PipelineMeters(context.getBean(Pipelines.class)).bindTo(meters);
                    assertThat(meters.get("millrace.tcp.records")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(20_000);
                    await().untilAsserted(() -> assertThat(meters.get("millrace.tcp.connections.closed")
                                    .tag("reason", "ended")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(4));
                    assertThat(meters.get("millrace.feed.position").gauge().value())
                            .isZero();
                });
    }

    @Test
    void shouldNotAcknowledgeWhileTheStoreFails() {
        context()
                .withPropertyValues("millrace.pipelines.lines.feed.tcp.acknowledge.every=1")
                .run(context -> {
                    AtomicBoolean down = new AtomicBoolean(true);
                    Region<Object, Object> region =
                            CacheFactory.getAnyInstance().getRegion("large");
                    region.getAttributesMutator().setCacheWriter(new CacheWriterAdapter<>() {
                        @Override
                        public void beforeCreate(EntryEvent<Object, Object> event) {
                            if (down.get()) {
                                throw new CacheWriterException("the store is down");
                            }
                        }
                    });
                    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(context))) {
                        socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
                        write(socket, TradeFile.random(100, 2));
                        await().until(() -> pipeline(context).storeRetries().get() >= 2);
                        assertThat(socket.getInputStream().available()).isZero();
                        down.set(false);
                        assertThat(lastCount(socket)).isEqualTo(100);
                    }
                });
    }

    @Test
    void shouldKeepWhatALostConnectionCutOff() {
        context().run(context -> {
            int port;
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(context))) {
                port = socket.getLocalPort();
                socket.getOutputStream().write(new byte[5]);
            }
            Store store = context.getBean(Store.class);
            await().until(() -> !Rejects.of(store, "lines-rejected").isEmpty());
            assertThat(Rejects.of(store, "lines-rejected")).singleElement().satisfies(reject -> {
                assertThat(reject.detail())
                        .isEqualTo("Truncated record from 127.0.0.1:" + port
                                + ": the connection ended after 5 of the record's 39 bytes.");
                assertThat(reject.bytes()).isEqualTo(new byte[5]);
            });
            assertThat(status(context).rejectedByReason()).containsEntry("truncated", 1L);
        });
    }

    /** With TLS 1.2 a sender can't close one direction alone, so it waits for the count before it closes. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void shouldTakeTradesOverTls(String protocol) throws Exception {
        Path keys = selfSigned("keys.p12");
        context()
                .withPropertyValues(
                        "millrace.pipelines.lines.feed.tcp.acknowledge.every=500",
                        "millrace.pipelines.lines.feed.tcp.ssl-bundle=lines",
                        "spring.ssl.bundle.jks.lines.keystore.location=" + keys.toUri(),
                        "spring.ssl.bundle.jks.lines.keystore.type=PKCS12",
                        "spring.ssl.bundle.jks.lines.keystore.password=" + PASSWORD)
                .run(context -> {
                    SSLContext trusting = tls(null, trusted(keys));
                    List<Trade> trades = TradeFile.random(3_000, 3);
                    try (SSLSocket socket = (SSLSocket)
                            trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port(context))) {
                        socket.setEnabledProtocols(new String[] {protocol});
                        socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
                        write(socket, trades);
                        if (protocol.equals("TLSv1.3")) {
                            assertThat(lastCount(socket)).isEqualTo(3_000);
                        } else {
                            long count = 0;
                            while (count < 3_000) {
                                count = ByteBuffer.wrap(socket.getInputStream().readNBytes(Long.BYTES))
                                        .getLong();
                            }
                        }
                    }
                    assertThat(status(context).in()).isEqualTo(3_000);
                    TcpFeed feed = (TcpFeed) pipeline(context).feed();
                    await().until(() -> feed.openConnections() == 0);

                    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port(context))) {
                        plain.setSoTimeout((int) TestTimeout.MAX.toMillis());
                        plain.getOutputStream().write(trades.getFirst().bytes());
                        await().until(() ->
                                feed.counters().closed(CloseReason.TLS).sum() == 1);
                    }
                    assertThat(status(context).in()).isEqualTo(3_000);
                });
    }

    @Test
    void shouldTakeTradesOnlyOfSendersWithACertificateOfTheTruststore() throws Exception {
        Path keys = selfSigned("keys.p12");
        Path others = selfSigned("others.p12");
        KeyStore trusted = trusted(keys);
        Path truststore = folder.resolve("trusted.p12");
        try (OutputStream out = Files.newOutputStream(truststore)) {
            trusted.store(out, PASSWORD.toCharArray());
        }
        String bundle = "spring.ssl.bundle.jks.lines.";
        context()
                .withPropertyValues(
                        "millrace.pipelines.lines.feed.tcp.acknowledge.every=500",
                        "millrace.pipelines.lines.feed.tcp.ssl-bundle=lines",
                        bundle + "keystore.location=" + keys.toUri(),
                        bundle + "keystore.password=" + PASSWORD,
                        bundle + "truststore.location=" + truststore.toUri(),
                        bundle + "truststore.password=" + PASSWORD)
                .run(context -> {
                    List<Trade> trades = TradeFile.random(100, 3);
                    TcpFeed feed = (TcpFeed) pipeline(context).feed();
                    int refused = 0;
                    for (Path sender : Arrays.asList(null, others)) {
                        try (Socket socket = connect(context, tls(sender, trusted))) {
                            assertThatThrownBy(() -> {
                                        write(socket, trades);
                                        lastCount(socket);
                                    })
                                    .isInstanceOf(IOException.class);
                        }
                        int expected = ++refused;
                        await().until(() ->
                                feed.counters().closed(CloseReason.TLS).sum() == expected);
                    }
                    assertThat(status(context).in()).isZero();

                    try (Socket socket = connect(context, tls(keys, trusted))) {
                        write(socket, trades);
                        assertThat(lastCount(socket)).isEqualTo(100);
                    }
                });
    }

    private static Socket connect(BeanFactory beans, SSLContext tls) throws IOException {
        Socket socket = tls.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port(beans));
        socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
        return socket;
    }

    private Path selfSigned(String file) throws IOException, InterruptedException {
        Path keys = folder.resolve(file);
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "lines",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
        return keys;
    }

    private static KeyStore keyStore(Path file) throws GeneralSecurityException, IOException {
        return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    }

    /** Returns a truststore with the certificate of a keystore. */
    private static KeyStore trusted(Path keys) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("lines", keyStore(keys).getCertificate("lines"));
        return trusted;
    }

    /** Returns the context of a sender, with a certificate or without. */
    private static SSLContext tls(@Nullable Path keys, KeyStore trusted) throws GeneralSecurityException, IOException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManager[] own = {};
        if (keys != null) {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keyStore(keys), PASSWORD.toCharArray());
            own = factory.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own, trust.getTrustManagers(), null);
        return context;
    }

    private static long sendAll(BeanFactory beans, List<Trade> trades) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(beans))) {
            socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
            write(socket, trades);
            return lastCount(socket);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void write(Socket socket, List<Trade> trades) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(trades.size() * TradeFile.LENGTH);
        trades.forEach(trade -> bytes.put(trade.bytes()));
        socket.getOutputStream().write(bytes.array());
    }

    /** Closes the output; all counts follow, then the end. */
    private static long lastCount(Socket socket) throws IOException {
        socket.shutdownOutput();
        byte[] counts = socket.getInputStream().readAllBytes();
        assertThat(counts.length % Long.BYTES).isZero();
        return ByteBuffer.wrap(counts).getLong(counts.length - Long.BYTES);
    }

    private static int port(BeanFactory beans) {
        TcpFeed feed = (TcpFeed) pipeline(beans).feed();
        await().until(() -> feed.port() != 0);
        return feed.port();
    }

    private static Pipeline pipeline(BeanFactory beans) {
        return beans.getBean(Pipelines.class).named("lines").orElseThrow();
    }

    private static PipelineStatus status(BeanFactory beans) {
        return PipelineStatus.of(pipeline(beans));
    }
}
