package io.millrace.web.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import io.millrace.web.request.RequestSender;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Streams over real sockets. */
class EventStreamsTest {

    private static final int EVENT_BYTES = 8 * 1024;
    private static final int SMALL = 16 * 1024;

    private EventStreams streams = new EventStreams(new StreamLimits(10, Duration.ofHours(1)));
    private DisposableServer server = serve();

    /** Has an event of 8 KB whenever one is asked for. */
    private final Endless source = new Endless();

    private static final class Endless implements EventSource {
        private final AtomicLong asked = new AtomicLong();
        private final AtomicBoolean ended = new AtomicBoolean();

        @Override
        public Mono<byte[]> next() {
            return Mono.fromSupplier(() -> {
                String number = Long.toString(asked.incrementAndGet());
                return EventBytes.data(
                        (number + "x".repeat(EVENT_BYTES - number.length())).getBytes(StandardCharsets.US_ASCII));
            });
        }

        @Override
        public void end() {
            ended.set(true);
        }
    }

    private DisposableServer serve() {
        return HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter((request, response) -> streams.send(response, () -> source)
                        .contextWrite(context -> context.put(
                                RequestSender.USER, request.getPath().value()))))
                .bindNow();
    }

    @AfterEach
    void close() {
        server.disposeNow();
        streams.destroy();
    }

    /** @param receiveBuffer its bytes, 0 for as many as the system likes */
    private Socket connect(int receiveBuffer) {
        return connect("anna", receiveBuffer);
    }

    private Socket connect(String user, int receiveBuffer) {
        try {
            Socket socket = new Socket();
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            socket.getOutputStream()
                    .write(("GET /" + user + " HTTP/1.1\r\nHost: here\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until as much has been sent as nobody reads; returns how many events that were. */
    private long stalledAfter() {
        AtomicLong before = new AtomicLong(-1);
        await().pollInterval(Duration.ofMillis(300))
                .until(() -> source.asked.get() > 0 && before.getAndSet(source.asked.get()) == source.asked.get());
        return source.asked.get();
    }

    @Test
    void shouldFetchNoMoreThanTheBuffersOfASocketHoldForOneWhoDoesNotRead() throws Exception {
        try (Socket socket = connect(SMALL)) {
            assertThat(stalledAfter() * EVENT_BYTES).isLessThan(256 * 1024);
            assertThat(streams.size()).isEqualTo(1);
            // It goes on where it stopped as soon as somebody reads.
            long stalled = source.asked.get();
            socket.getInputStream().readNBytes(1024 * 1024);
            assertThat(source.asked).hasValueGreaterThan(stalled);
        }
        await().untilTrue(source.ended);
    }

    @Test
    void shouldCutOffWhoDoesNotRead() throws Exception {
        streams.destroy();
        streams = new EventStreams(new StreamLimits(10, Duration.ofMillis(100)));
        try (Socket socket = connect(SMALL)) {
            await().untilTrue(source.ended);
            assertThat(streams.size()).isZero();
            assertThat(end(socket)).isTrue();
        }
    }

    /** Whether the connection has an end: what is left in the buffers, and then either end or reset. */
    private static boolean end(Socket socket) throws IOException {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            return true;
        } catch (SocketException reset) {
            return true;
        } catch (SocketTimeoutException stillOpen) {
            return false;
        }
    }

    @Test
    void shouldKeepWhoReads() throws Exception {
        streams.destroy();
        streams = new EventStreams(new StreamLimits(10, Duration.ofSeconds(5)));
        try (Socket socket = connect(0);
                BufferedReader reader =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
            AtomicLong lines = new AtomicLong();
            // Longer than patience lasts, as looks at all streams are a second apart.
            await().pollInterval(Duration.ofMillis(1)).until(() -> {
                reader.readLine();
                return lines.incrementAndGet() > 7000;
            });
            assertThat(source.ended).isFalse();
        }
    }

    @Test
    void shouldRefuseMoreStreamsThanThereMayBe() throws Exception {
        streams.destroy();
        streams = new EventStreams(new StreamLimits(0, Duration.ofHours(1)));
        try (Socket socket = connect(SMALL)) {
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            // Without the advice that turns exceptions into problem details.
            assertThat(reader.readLine()).contains("500");
            assertThat(source.asked).hasValue(0);
        }
    }

    @Test
    void shouldGiveEachUserAShareOfTheStreams() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                sockets.add(connect("vera", SMALL));
                assertThat(status(sockets.getLast())).contains("200");
            }
            for (int i = 0; i < 5; i++) {
                sockets.add(connect("anna", SMALL));
                assertThat(status(sockets.getLast())).contains("200");
            }
            sockets.add(connect("anna", SMALL));
            assertThat(status(sockets.getLast())).contains("500");
            sockets.add(connect("vera", SMALL));
            assertThat(status(sockets.getLast())).contains("500");
            await().untilAsserted(() -> assertThat(streams.size()).isEqualTo(10));
            for (int i = 0; i < 10; i++) {
                assertThat(isClosed(sockets.get(i))).as("stream %s of vera", i).isEqualTo(i >= 5);
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static String status(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c != '\n' && c >= 0;
                c = socket.getInputStream().read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    /** Returns whether a connection has an end that arrives before a megabyte does. */
    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readNBytes(1 << 20).length < 1 << 20;
        } catch (SocketException reset) {
            return true;
        }
    }
}
