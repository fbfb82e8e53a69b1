package io.millrace.feed.tcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.frame.Framing;
import io.millrace.feed.FairShare;
import io.millrace.feed.Feed;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.tcp.FrameReaderTest.Frames;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Over real sockets. */
class TcpFeedTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final Schema VARYING = new Schema("texts", 0, List.of(), List.of());
    private static final int LENGTH = TRADE.baseLength();
    private static final Duration NEVER = Duration.ofHours(1);
    private static final FairShare SHARE = new FairShare(0.75);
    private static final TcpLimits LIMITS = new TcpLimits(2_000, 2_000, SHARE, 60_000, NEVER, 256 * 1024, 64 << 20);
    private static final Framing FIXED = new Framing.Fixed();
    private static final Framing LINES = new Framing.Delimited(new byte[] {'\n'});

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    static Stream<Framing> framings() {
        return Stream.of(
                FIXED,
                new Framing.LengthPrefixed(1, ByteOrder.BIG_ENDIAN, false),
                new Framing.LengthPrefixed(2, ByteOrder.LITTLE_ENDIAN, true),
                new Framing.LengthPrefixed(4, ByteOrder.BIG_ENDIAN, true),
                LINES,
                new Framing.Delimited("\r\n.\r\n".getBytes(ISO_8859_1)));
    }

    @ParameterizedTest
    @MethodSource("framings")
    void shouldBringRecordsSplitAnywhere(Framing framing) throws Exception {
        FeedRunner runner = run(framing, TRADE, LIMITS, 0, null);
        List<byte[]> records =
                IntStream.range(0, 3).mapToObj(TcpFeedTest::trade).toList();
        byte[] sent = Frames.of(framing, records);
        for (int split = 1; split < sent.length; split++) {
            Socket socket = connect(runner);
            OutputStream out = socket.getOutputStream();
            out.write(sent, 0, split);
            long half = (long) sent.length * (split - 1) + split;
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> runner.feed().counters().bytes().sum() == half);
            out.write(sent, split, sent.length - split);
            socket.close();
            int soFar = 3 * split;
            await().pollInterval(Duration.ofMillis(1)).until(() -> runner.count() == soFar);
        }
        int all = 3 * (sent.length - 1);
        assertThat(runner.records()).hasSize(all);
        for (int i = 0; i < all; i++) {
            assertThat(runner.records().get(i)).isEqualTo(trade(i % 3));
        }
        assertThat(runner.pieces()).isEmpty();
        awaitClosed(runner, CloseReason.ENDED, sent.length - 1);
    }

    @Test
    void shouldBringRecordsOfVaryingLength() throws Exception {
        FeedRunner runner = run(LINES, VARYING, LIMITS, 0, null);
        try (Socket socket = connect(runner)) {
            socket.getOutputStream().write("one\n\nthree words more\n".getBytes(ISO_8859_1));
        }
        await().until(() -> runner.count() == 3);
        assertThat(runner.records())
                .containsExactly("one".getBytes(ISO_8859_1), new byte[0], "three words more".getBytes(ISO_8859_1));
    }

    @Test
    void shouldKeepTheOrderOfEachOfManyConnections() throws Exception {
        FeedRunner runner = run(FIXED, TRADE, LIMITS, 0, null);
        int senders = 20;
        long each = 2_000;
        List<Thread> threads = new ArrayList<>();
        for (int sender = 0; sender < senders; sender++) {
            Socket socket = connect(runner);
            long first = sender * each;
            threads.add(Thread.startVirtualThread(() -> send(socket, first, (int) each)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        await().until(() -> runner.count() == senders * each);
        long[] next = IntStream.range(0, senders).mapToLong(i -> i * each).toArray();
        for (byte[] record : runner.records()) {
            long id = id(record);
            assertThat(id).isEqualTo(next[(int) (id / each)]++);
        }
        assertThat(runner.feed().counters().records().get()).isEqualTo(senders * each);
        assertThat(runner.feed().counters().bytes().sum()).isEqualTo(senders * each * LENGTH);
    }

    @Test
    void shouldServeAQuietSenderNextToABusyOne() throws Exception {
        Semaphore polls = new Semaphore(0);
        FeedRunner runner = run(FIXED, TRADE, LIMITS, 0, polls);
        Socket busy = connect(runner);
        Thread thread = Thread.startVirtualThread(() -> send(busy, 0, 100_000));
        await().until(() -> runner.feed().lag() > 200_000);
        Socket quiet = connect(runner);
        quiet.getOutputStream().write(trade(1_000_000));
        long expected = runner.feed().counters().bytes().sum();
        await().until(() -> runner.feed().counters().accepted().sum() == 2 && expected > 0);
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            polls.release();
            return runner.records().stream().anyMatch(record -> id(record) == 1_000_000);
        });
        // A batch holds eight shares at most: the quiet one waits for some, not for all that the busy one sends.
        assertThat(runner.count()).isLessThan(90_000);
        polls.release(1_000_000);
        thread.join();
        await().until(() -> runner.count() == 100_001);
    }

    @Test
    void shouldStopReadingWhileNobodyPollsAndLoseNothing() throws Exception {
        Semaphore polls = new Semaphore(0);
        TcpLimits limits = new TcpLimits(100, 100, SHARE, 60_000, NEVER, 128 * 1024, 512 * 1024);
        FeedRunner runner = run(FIXED, TRADE, limits, 0, polls);
        runner.onlyCount();
        int senders = 8;
        int each = 400_000;
        AtomicLong sent = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            Socket socket = connect(runner);
            threads.add(Thread.startVirtualThread(() -> sendCounted(socket, each, sent)));
        }
        long stuck = awaitStuck(sent);
        assertThat(stuck).isLessThan((long) senders * each * LENGTH);
        // Each may pass a bound by the one read that found it reached.
        assertThat(runner.feed().lag()).isLessThanOrEqualTo(limits.buffer() + senders * (64 * 1024 + 1024L));

        polls.release(20);
        awaitStuck(sent);
        assertThat(runner.feed().lag()).isLessThanOrEqualTo(limits.buffer() + senders * (64 * 1024 + 1024L));

        polls.release(Integer.MAX_VALUE / 2);
        for (Thread thread : threads) {
            thread.join();
        }
        await().until(() -> runner.count() == (long) senders * each);
        assertThat(runner.feed().lag()).isZero();
    }

    /** What is in the kernel's buffers when the sender closes must stay there until it is wanted. */
    @Test
    void shouldKeepItsBoundsWhereSendersHaveEnded() throws Exception {
        Semaphore polls = new Semaphore(0);
        TcpLimits limits = new TcpLimits(100, 100, SHARE, 60_000, NEVER, 64 * 1024, 256 * 1024);
        FeedRunner runner = run(FIXED, TRADE, limits, 0, polls);
        int senders = 5;
        int each = 10_000;
        for (int i = 0; i < senders; i++) {
            send(connect(runner), (long) i * each, each);
        }
        long[] last = {-1};
        await().pollInterval(Duration.ofMillis(300)).until(() -> {
            boolean still = runner.feed().lag() == last[0];
            last[0] = runner.feed().lag();
            return still && last[0] > 0;
        });
        assertThat(runner.feed().lag()).isLessThanOrEqualTo(limits.buffer() + senders * (64 * 1024 + 1024L));
        polls.release(Integer.MAX_VALUE / 2);
        await().until(() -> runner.count() == (long) senders * each);
        awaitClosed(runner, CloseReason.ENDED, senders);
    }

    @Test
    void shouldHoldAThousandIdleConnectionsNextToABusyOne() throws Exception {
        FeedRunner runner = run(FIXED, TRADE, LIMITS, 0, null);
        runner.onlyCount();
        List<Socket> idle = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            idle.add(connect(runner));
        }
        await().until(() -> runner.feed().openConnections() == 1_000);
        assertThat(runner.feed().lag()).isZero();

        send(connect(runner), 0, 200_000);
        await().until(() -> runner.count() == 200_000);
        for (Socket socket : idle) {
            socket.getOutputStream().write(trade(1));
        }
        await().until(() -> runner.count() == 201_000);
        for (Socket socket : idle) {
            socket.close();
        }
        await().until(() -> runner.feed().openConnections() == 0);
        awaitClosed(runner, CloseReason.ENDED, 1_001);
    }

    /** The end may come at any moment of the turn that takes the last record. */
    @Test
    void shouldSeeTheEndOfEveryShortConnection() throws Exception {
        FeedRunner runner = run(FIXED, TRADE, LIMITS, 0, null);
        int connections = 3_000;
        for (int i = 0; i < connections; i++) {
            try (Socket socket =
                    new Socket(InetAddress.getLoopbackAddress(), runner.feed().port())) {
                socket.getOutputStream().write(trade(i));
            }
        }
        awaitClosed(runner, CloseReason.ENDED, connections);
        await().until(() -> runner.feed().openConnections() == 0);
        await().untilAsserted(() -> assertThat(runner.count()).isEqualTo(connections));
    }

    @Test
    void shouldRejectTheRecordThatALostConnectionCutOff() throws Exception {
        FeedRunner runner = run(FIXED, TRADE, LIMITS, 0, null);
        Socket ended = connect(runner);
        ended.getOutputStream().write(trade(1));
        ended.getOutputStream().write(trade(2), 0, 5);
        int endedPort = ended.getLocalPort();
        ended.close();
        await().until(() -> runner.pieces().size() == 1);
        assertThat(runner.records()).containsExactly(trade(1));
        Piece piece = runner.pieces().getFirst();
        assertThat(piece.detail())
                .isEqualTo("Truncated record from 127.0.0.1:" + endedPort
                        + ": the connection ended after 5 of the record's 39 bytes.");
        assertThat(piece.bytes()).isEqualTo(java.util.Arrays.copyOf(trade(2), 5));

        Socket reset = connect(runner);
        reset.getOutputStream().write(trade(3), 0, 38);
        await().until(() -> runner.feed().counters().bytes().sum() == LENGTH + 5 + 38);
        reset.setSoLinger(true, 0);
        int resetPort = reset.getLocalPort();
        reset.close();
        await().until(() -> runner.pieces().size() == 2);
        assertThat(runner.pieces().get(1).detail())
                .isEqualTo("Truncated record from 127.0.0.1:" + resetPort
                        + ": the connection ended after 38 of the record's 39 bytes.");
        awaitClosed(runner, CloseReason.BROKEN, 1);
        awaitClosed(runner, CloseReason.ENDED, 1);
    }

    @Test
    void shouldCloseASenderOfGarbageAndServeTheOthers() throws Exception {
        Framing framing = new Framing.LengthPrefixed(4, ByteOrder.BIG_ENDIAN, false);
        FeedRunner runner = run(framing, TRADE, LIMITS, 0, null);
        Socket good = connect(runner);
        Socket garbage = connect(runner);
        garbage.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(ISO_8859_1));
        awaitClosed(runner, CloseReason.TOO_LONG, 1);
        await().untilAsserted(() -> assertThat(runner.pieces())
                .extracting(Piece::detail)
                .containsExactly("Invalid length of a record from 127.0.0.1:" + garbage.getLocalPort()
                        + ". Use at most 60000 bytes."));
        Socket wrong = connect(runner);
        wrong.getOutputStream().write(Frames.of(framing, List.of(new byte[38])));
        wrong.getOutputStream().write(Frames.of(framing, List.of(trade(7))));
        good.getOutputStream().write(Frames.of(framing, List.of(trade(8))));
        await().until(() -> runner.count() == 2 && runner.pieces().size() == 2);
        assertThat(runner.pieces().get(1).detail()).contains(": 38 bytes. Use 39.");
        await().untilAsserted(() -> assertThat(runner.feed().openConnections()).isEqualTo(2));
    }

    /** It may still send while its connection is being closed; that must not count against the others for ever. */
    @Test
    void shouldHoldNothingOfASenderThatIsClosed() throws Exception {
        FeedRunner runner = run(LINES, TRADE, LIMITS, 0, null);
        int senders = 50;
        byte[] endless = new byte[300_000];
        for (int i = 0; i < senders; i++) {
            Socket socket = connect(runner);
            Thread.startVirtualThread(() -> {
                try {
                    socket.getOutputStream().write(endless);
                } catch (IOException e) {
                    // as is to be expected
                }
            });
        }
        awaitClosed(runner, CloseReason.TOO_LONG, senders);
        await().until(() -> runner.feed().openConnections() == 0);
        await().until(() -> runner.feed().lag() == 0);
        await().untilAsserted(() -> assertThat(runner.pieces()).hasSize(senders));
    }

    @Test
    void shouldCloseIdleConnectionsButNotThoseThatWaitForTheFeed() throws Exception {
        Semaphore polls = new Semaphore(0);
        TcpLimits limits = new TcpLimits(100, 100, SHARE, 60_000, Duration.ofSeconds(3), 64 * 1024, 1 << 20);
        FeedRunner runner = run(FIXED, TRADE, limits, 0, polls);
        runner.onlyCount();
        Socket waiting = connect(runner);
        AtomicLong sent = new AtomicLong();
        int records = 400_000;
        Thread sender = Thread.startVirtualThread(() -> sendCounted(waiting, records, sent));
        awaitStuck(sent);
        Socket idle = connect(runner);
        awaitClosed(runner, CloseReason.IDLE, 1);
        assertThat(idle.getInputStream().read()).isEqualTo(-1);
        polls.release(Integer.MAX_VALUE / 2);
        sender.join();
        await().until(() -> runner.count() == records);
        awaitClosed(runner, CloseReason.ENDED, 1);
    }

    @Test
    void shouldRefuseMoreConnectionsThanAllowed() throws Exception {
        TcpLimits limits = new TcpLimits(2, 2, new FairShare(1), 60_000, NEVER, 64 * 1024, 1 << 20);
        FeedRunner runner = run(FIXED, TRADE, limits, 0, null);
        Socket first = connect(runner);
        Socket second = connect(runner);
        await().until(() -> runner.feed().openConnections() == 2);
        assertThat(connect(runner).getInputStream().read()).isEqualTo(-1);
        awaitClosed(runner, CloseReason.TOO_MANY, 1);
        first.close();
        await().until(() -> runner.feed().openConnections() == 1);
        connect(runner).getOutputStream().write(trade(1));
        second.getOutputStream().write(trade(2));
        await().until(() -> runner.count() == 2);
        assertThat(runner.feed().counters().accepted().sum()).isEqualTo(4);
    }

    @Test
    void shouldAcknowledgeWhatIsStoredAndOnlyThat() throws Exception {
        FeedRunner runner = run(FIXED, TRADE, LIMITS, 10, null);
        runner.storing(false);
        Socket socket = connect(runner);
        DataInputStream acknowledgements = new DataInputStream(socket.getInputStream());
        for (int i = 0; i < 25; i++) {
            socket.getOutputStream().write(trade(i));
        }
        await().until(() -> runner.count() == 25);
        assertThat(acknowledgements.available()).isZero();
        runner.storing(true);
        assertThat(acknowledgements.readLong()).isEqualTo(25);

        // Fewer than agreed: once the sender has paused.
        socket.getOutputStream().write(trade(25));
        assertThat(acknowledgements.readLong()).isEqualTo(26);

        // The last count comes when the output is closed, even if it is an old one, then the end.
        socket.getOutputStream().write(trade(26));
        socket.shutdownOutput();
        long last = 0;
        long count = acknowledgements.readLong();
        while (true) {
            last = count;
            int next = acknowledgements.read();
            if (next < 0) {
                break;
            }
            byte[] rest = new byte[7];
            acknowledgements.readFully(rest);
            count = ByteBuffer.allocate(8).put((byte) next).put(rest).getLong(0);
        }
        assertThat(last).isEqualTo(27);
        awaitClosed(runner, CloseReason.ENDED, 1);
    }

    @Test
    void shouldKeepAHalfClosedConnectionUntilItsRecordsAreStored() throws Exception {
        FeedRunner runner = run(FIXED, TRADE, LIMITS, 1, null);
        runner.storing(false);
        Socket socket = connect(runner);
        send(socket, 0, 5, false);
        socket.shutdownOutput();
        await().until(() -> runner.count() == 5);
        assertThat(runner.feed().openConnections()).isEqualTo(1);
        runner.storing(true);
        DataInputStream acknowledgements = new DataInputStream(socket.getInputStream());
        assertThat(acknowledgements.readLong()).isEqualTo(5);
        assertThat(acknowledgements.read()).isEqualTo(-1);
    }

    @Test
    void shouldCountRejectedRecordsAsDealtWith() throws Exception {
        FeedRunner runner = run(LINES, TRADE, LIMITS, 1, null);
        Socket socket = connect(runner);
        socket.getOutputStream().write("no trade\nnor this\n".getBytes(ISO_8859_1));
        socket.shutdownOutput();
        byte[] received = socket.getInputStream().readAllBytes();
        assertThat(ByteBuffer.wrap(received).getLong(received.length - 8)).isEqualTo(2);
        assertThat(runner.pieces()).hasSize(2);
    }

    @Test
    void shouldNotAcknowledgeToClientsThatDoNotRead() throws Exception {
        FeedRunner runner = run(FIXED, TRADE, LIMITS, 1, null);
        runner.onlyCount();
        Socket socket = connect(runner);
        send(socket, 0, 300_000, false);
        await().until(() -> runner.count() == 300_000);
        socket.shutdownOutput();
        byte[] received = socket.getInputStream().readAllBytes();
        assertThat(ByteBuffer.wrap(received).getLong(received.length - 8)).isEqualTo(300_000);
    }

    /** However long the feed may wait for further records. */
    @Test
    void shouldAcknowledgeAfterAPauseWithoutFurtherRecords() throws Exception {
        TcpFeed feed = new TcpFeed(LIMITS.properties("127.0.0.1", 0, FIXED, 500), null, TRADE, 2048);
        RecordBatch batch = new RecordBatch(TRADE);
        feed.open(0);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), feed.port())) {
            socket.getOutputStream().write(trade(1));
            assertThat(feed.poll(batch, TestTimeout.MAX)).isEqualTo(Feed.Poll.RECORDS);
            feed.stored();
            Thread poller = Thread.ofPlatform().start(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    feed.poll(batch, Duration.ofHours(1));
                }
            });
            socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
            assertThat(new DataInputStream(socket.getInputStream()).readLong()).isEqualTo(1);
            poller.interrupt();
            poller.join();
        } finally {
            feed.close();
        }
    }

    @Test
    void shouldSayThatThePortCannotBeHad() throws Exception {
        FeedRunner runner = run(FIXED, TRADE, LIMITS, 0, null);
        int port = runner.feed().port();
        TcpFeed second = new TcpFeed(LIMITS.properties("127.0.0.1", port, FIXED, 0), null, TRADE, 10);
        assertThatIOException()
                .isThrownBy(() -> second.open(0))
                .withMessageContaining("Unable to listen on 127.0.0.1:" + port + ": ")
                .withMessageContaining("in use");
    }

    private FeedRunner run(
            Framing framing, Schema schema, TcpLimits limits, int acknowledgeEvery, @Nullable Semaphore polls)
            throws IOException {
        TcpProperties properties = limits.properties("127.0.0.1", 0, framing, acknowledgeEvery);
        FeedRunner runner = new FeedRunner(new TcpFeed(properties, null, schema, 2048), schema, polls);
        open.add(runner);
        return runner;
    }

    private Socket connect(FeedRunner runner) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), runner.feed().port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
        open.add(socket);
        return socket;
    }

    private static void awaitClosed(FeedRunner runner, CloseReason reason, long times) {
        TcpCounters counters = runner.feed().counters();
        await().untilAsserted(() -> assertThat(counters.closed(reason).sum())
                .as(() -> "open=" + runner.feed().openConnections() + " closed="
                        + Stream.of(CloseReason.values())
                                .map(one -> one + "=" + counters.closed(one).sum())
                                .toList())
                .isEqualTo(times));
    }

    /** Waits until senders can send no more; returns how many bytes they have sent. */
    private static long awaitStuck(AtomicLong sent) {
        long[] last = {-1};
        await().pollInterval(Duration.ofMillis(500)).until(() -> {
            long now = sent.get();
            boolean stuck = now > 0 && now == last[0];
            last[0] = now;
            return stuck;
        });
        return last[0];
    }

    private static byte[] trade(long id) {
        byte[] bytes = new byte[LENGTH];
        for (int i = 8; i < LENGTH; i++) {
            bytes[i] = (byte) (id % 7 + i + 30);
        }
        ByteBuffer.wrap(bytes).putLong(id + 0x3030303030303030L);
        return bytes;
    }

    private static long id(byte[] trade) {
        return ByteBuffer.wrap(trade).getLong() - 0x3030303030303030L;
    }

    private static void send(Socket socket, long first, int count) {
        send(socket, first, count, true);
    }

    private static void send(Socket socket, long first, int count, boolean close) {
        try {
            OutputStream out = new java.io.BufferedOutputStream(socket.getOutputStream(), 20_000);
            for (int i = 0; i < count; i++) {
                out.write(trade(first + i));
            }
            out.flush();
            if (close) {
                socket.close();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void sendCounted(Socket socket, int count, AtomicLong sent) {
        byte[] portion = new byte[100 * LENGTH];
        try (socket) {
            for (int i = 0; i < count; i += 100) {
                socket.getOutputStream().write(portion);
                sent.addAndGet(portion.length);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
