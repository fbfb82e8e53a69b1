package io.millrace.feed.tcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import io.millrace.codec.frame.Framing;
import io.millrace.feed.FairShare;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one address can and can't do to the others, over real sockets from several addresses of loopback. */
class TcpSendersTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final int LENGTH = TRADE.baseLength();
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofMillis(300);
    private static final Framing FIXED = new Framing.Fixed();
    private static final Framing LINES = new Framing.Delimited(new byte[] {'\n'});
    private static final FairShare SHARE = new FairShare(0.75);
    private static final String HOSTILE = "127.0.0.1";
    private static final String OTHER = "127.0.0.2";
    private static final String THIRD = "127.0.0.3";

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    @Test
    void shouldLetOthersInWhereOneAddressOpensAllConnections() throws Exception {
        FeedRunner runner = run(FIXED, connections(20, 20), null);
        List<Socket> hostile = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            hostile.add(connect(runner, HOSTILE));
        }
        awaitClosed(runner, CloseReason.TOO_MANY_FROM_ADDRESS, 25);
        assertThat(runner.feed().openConnections()).isEqualTo(15);

        connect(runner, OTHER).getOutputStream().write(trade(1));
        connect(runner, THIRD).getOutputStream().write(trade(2));
        await().until(() -> runner.count() == 2);
        // Those that were let in are served like others.
        hostile.getFirst().getOutputStream().write(trade(3));
        await().until(() -> runner.count() == 3);
        assertThat(runner.feed().counters().closed(CloseReason.TOO_MANY).sum()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1, 100%, 1", "3, 100%, 3", "10, 100%, 10", "10, 1%, 1", "10, 50%, 5"})
    void shouldBoundTheConnectionsOfAnAddress(int perAddress, String share, int admitted) throws Exception {
        FairShare fraction = new FairShare(Integer.parseInt(share.replace("%", "")) / 100.0);
        TcpLimits limits = new TcpLimits(10, perAddress, fraction, 60_000, NEVER, 64 * 1024, 1 << 20);
        FeedRunner runner = run(FIXED, limits, null);
        for (int i = 0; i < 12; i++) {
            connect(runner, HOSTILE);
        }
        CloseReason reason = admitted == 10 ? CloseReason.TOO_MANY : CloseReason.TOO_MANY_FROM_ADDRESS;
        awaitClosed(runner, reason, 12 - admitted);
        assertThat(runner.feed().openConnections()).isEqualTo(admitted);
    }

    /** However a connection ends, its place is free again, in all and for its address. */
    @Test
    void shouldGetPlacesBackFromTenThousandConnections() throws Exception {
        FeedRunner runner = run(LINES, connections(40, 10), null);
        int all = 10_000;
        for (int i = 0; i < all; i++) {
            String address = i % 2 == 0 ? HOSTILE : OTHER;
            try (Socket socket = new Socket(loopback(HOSTILE), runner.feed().port(), loopback(address), 0)) {
                switch (i % 5) {
                    case 0 -> socket.getOutputStream().write(line(i));
                    case 1 -> socket.getOutputStream().write(line(i), 0, 5);
                    case 2 -> socket.getOutputStream().write(new byte[60_001]);
                    case 3 -> socket.shutdownOutput();
                    default -> socket.setSoLinger(true, 0);
                }
            } catch (IOException e) {
                // It was one of those that came too soon after each other, and is counted.
            }
        }
        TcpCounters counters = runner.feed().counters();
        await().until(() -> counters.accepted().sum() == all);
        await().until(() -> runner.feed().openConnections() == 0);
        await().until(() -> runner.feed().lag() == 0);
        await().untilAsserted(() -> assertThat(Stream.of(CloseReason.values())
                        .mapToLong(reason -> counters.closed(reason).sum())
                        .sum())
                .isEqualTo(all));

        long before = counters.closed(CloseReason.TOO_MANY_FROM_ADDRESS).sum();
        for (int i = 0; i < 10; i++) {
            connect(runner, HOSTILE);
            connect(runner, OTHER);
        }
        await().until(() -> runner.feed().openConnections() == 20);
        connect(runner, HOSTILE);
        awaitClosed(runner, CloseReason.TOO_MANY_FROM_ADDRESS, before + 1);
    }

    @Test
    void shouldReadOneConnectionOfAnAddressAsOftenAsManyOfAnother() throws Exception {
        Semaphore polls = new Semaphore(0);
        FeedRunner runner = run(FIXED, connections(1_000, 1_000), polls);
        int hostile = 100;
        int each = 500;
        for (int i = 0; i < hostile; i++) {
            connect(runner, HOSTILE).getOutputStream().write(trades(0, each));
        }
        int wanted = 2_000;
        connect(runner, OTHER).getOutputStream().write(trades(1_000_000, wanted));
        long bytes = (long) (hostile * each + wanted) * LENGTH;
        await().until(() -> runner.feed().counters().bytes().sum() == bytes);
        polls.release(1_000_000);
        await().until(() -> runner.count() == hostile * each + wanted);

        int last = 0;
        for (int i = 0; i < runner.records().size(); i++) {
            last = ByteBuffer.wrap(runner.records().get(i)).getLong() >= 1_000_000 ? i : last;
        }
        // Turn about, and a turn more before the first and of a batch that was full.
        assertThat(last).isLessThan(2 * wanted + 2 * 2048);
    }

    @Test
    void shouldReceiveFromOthersWhereOneAddressFillsTheBuffer() throws Exception {
        Semaphore polls = new Semaphore(0);
        TcpLimits limits = new TcpLimits(100, 100, SHARE, 60_000, NEVER, 4 << 20, 32 << 20);
        FeedRunner runner = run(FIXED, limits, polls);
        runner.onlyCount();
        int connections = 30;
        AtomicLong sent = new AtomicLong();
        for (int i = 0; i < connections; i++) {
            Socket socket = connect(runner, HOSTILE);
            Thread.startVirtualThread(() -> sendForEver(socket, sent));
        }
        awaitStill(sent);
        long full = runner.feed().lag();
        // Each connection may pass the bound by one read.
        assertThat(full).isBetween(24L << 20, (24L << 20) + connections * (64 * 1024 + 1024L));

        long before = runner.feed().counters().bytes().sum();
        int records = 40_000;
        Socket other = connect(runner, OTHER);
        Thread.startVirtualThread(() -> {
            try {
                other.getOutputStream().write(trades(0, records));
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        await().until(() -> runner.feed().counters().bytes().sum() == before + (long) records * LENGTH);

        // And when the feed is polled again, all go on.
        polls.release(Integer.MAX_VALUE / 2);
        long stuck = sent.get();
        await().until(() -> sent.get() > stuck + (64L << 20));
    }

    @Test
    void shouldCloseASenderThatNeverCompletesARecord() throws Exception {
        // Long enough for the other sender, whatever else the machine does.
        TcpLimits limits = new TcpLimits(100, 100, SHARE, 60_000, Duration.ofSeconds(3), 64 * 1024, 1 << 20);
        FeedRunner runner = run(LINES, limits, null);
        Socket slow = connect(runner, HOSTILE);
        Socket good = connect(runner, OTHER);
        long[] sent = {0};
        await().pollInterval(Duration.ofMillis(10)).until(() -> {
            good.getOutputStream().write(line(sent[0]++));
            try {
                slow.getOutputStream().write('x');
            } catch (IOException e) {
                // closed, as it is to be
            }
            return runner.feed().counters().closed(CloseReason.IDLE).sum() == 1;
        });
        await().until(() -> runner.count() == sent[0]);
        assertThat(runner.pieces())
                .singleElement()
                .satisfies(piece -> assertThat(piece.detail())
                        .contains("127.0.0.1:" + slow.getLocalPort())
                        .contains("without a delimiter"));
    }

    @ParameterizedTest
    @CsvSource({"0", "1"})
    void shouldCloseASenderThatFallsSilent(int acknowledgeEvery) throws Exception {
        TcpLimits limits = new TcpLimits(100, 100, SHARE, 60_000, SOON, 64 * 1024, 1 << 20);
        FeedRunner runner = run(FIXED, limits, acknowledgeEvery, null);
        connect(runner, HOSTILE).getOutputStream().write(trade(1));
        await().until(() -> runner.count() == 1);
        awaitClosed(runner, CloseReason.IDLE, 1);
        await().until(() -> runner.feed().openConnections() == 0);
    }

    private static TcpLimits connections(int all, int perAddress) {
        return new TcpLimits(all, perAddress, SHARE, 60_000, NEVER, 256 * 1024, 64 << 20);
    }

    private FeedRunner run(Framing framing, TcpLimits limits, @Nullable Semaphore polls) throws IOException {
        return run(framing, limits, 0, polls);
    }

    @Test
    void shouldBoundTheIncompleteRecordsOfAnAddress() throws Exception {
        TcpLimits limits = new TcpLimits(1_000, 1_000, SHARE, 60_000, NEVER, 64 * 1024, 1 << 20);
        FeedRunner runner = run(LINES, limits, null);
        TcpCounters counters = runner.feed().counters();
        byte[] beginning = new byte[50_000];
        List<Socket> hostile = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            hostile.add(connect(runner, HOSTILE));
            hostile.get(i).getOutputStream().write(beginning);
        }
        // 75% of 1 MB holds no more than 15 of them.
        await().untilAsserted(() -> {
            assertThat(counters.accepted().sum()).isEqualTo(60);
            assertThat(runner.feed().openConnections()).isBetween(12, 15);
        });

        Socket other = connect(runner, OTHER);
        other.getOutputStream().write(line(1), 0, 10);
        other.getOutputStream().flush();
        other.getOutputStream().write(line(1), 10, LENGTH + 1 - 10);
        other.getOutputStream().write(line(2));
        await().until(() -> runner.count() == 2);
        assertThat(runner.feed().openConnections()).isBetween(12 + 1, 15 + 1);

        // However they end, their memory is free again.
        for (Socket socket : hostile) {
            socket.close();
        }
        await().until(() -> runner.feed().openConnections() == 1);
        long before = counters.closed(CloseReason.TOO_MUCH_INCOMPLETE).sum();
        long accepted = counters.accepted().sum();
        for (int i = 0; i < 1_000; i++) {
            Socket socket = connect(runner, HOSTILE);
            socket.getOutputStream().write(beginning);
            if (i % 2 == 0) {
                socket.getOutputStream().write('\n');
            }
            socket.close();
            if (i % 10 == 0) {
                long connected = accepted + i + 1;
                await().until(() ->
                        counters.accepted().sum() == connected && runner.feed().openConnections() == 1);
            }
        }
        await().until(() -> counters.accepted().sum() == accepted + 1_000);
        await().until(() -> runner.feed().openConnections() == 1);
        assertThat(counters.closed(CloseReason.TOO_MUCH_INCOMPLETE).sum()).isEqualTo(before);
    }

    private FeedRunner run(Framing framing, TcpLimits limits, int acknowledgeEvery, @Nullable Semaphore polls)
            throws IOException {
        TcpProperties properties = limits.properties(HOSTILE, 0, framing, acknowledgeEvery);
        FeedRunner runner = new FeedRunner(new TcpFeed(properties, null, TRADE, 2048), TRADE, polls);
        open.add(runner);
        return runner;
    }

    private Socket connect(FeedRunner runner, String source) throws IOException {
        Socket socket = new Socket(loopback(HOSTILE), runner.feed().port(), loopback(source), 0);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
        open.add(socket);
        return socket;
    }

    private static InetAddress loopback(String literal) {
        return InetAddress.ofLiteral(literal);
    }

    private static void awaitClosed(FeedRunner runner, CloseReason reason, long times) {
        await().untilAsserted(() ->
                assertThat(runner.feed().counters().closed(reason).sum()).isEqualTo(times));
    }

    private static void awaitStill(AtomicLong sent) {
        long[] last = {-1};
        await().pollInterval(Duration.ofMillis(500)).until(() -> {
            long now = sent.get();
            boolean still = now > 0 && now == last[0];
            last[0] = now;
            return still;
        });
    }

    private static void sendForEver(Socket socket, AtomicLong sent) {
        byte[] portion = trades(0, 100);
        try {
            while (!socket.isClosed()) {
                socket.getOutputStream().write(portion);
                sent.addAndGet(portion.length);
            }
        } catch (IOException e) {
            // the test is over
        }
    }

    private static byte[] trade(long id) {
        return trades(id, 1);
    }

    private static byte[] trades(long first, int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count * LENGTH);
        for (int i = 0; i < count; i++) {
            bytes.putLong(i * LENGTH, first + i);
        }
        return bytes.array();
    }

    private static byte[] line(long id) {
        return String.format("%0" + LENGTH + "d\n", id).getBytes(ISO_8859_1);
    }
}
