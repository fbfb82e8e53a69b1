package io.millrace.feed.radius;

import static io.millrace.feed.radius.Packets.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.FairShare;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.radius.load.LoadClient;
import io.millrace.feed.radius.packet.Secret;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The feed alone, over real sockets; the test is its pipeline. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class RadiusFeedTest {

    private static final Duration SHORT = Duration.ofMillis(100);
    private static final int LIMIT = 64;

    private final RecordBatch batch = new RecordBatch(new Schema("packet", 0, List.of(), List.of()));
    private final RadiusFeed feed = new RadiusFeed(options(0), 32);
    private DatagramSocket client;

    private static RadiusSettings options(int port) {
        return options(port, new FairShare(1));
    }

    private static RadiusSettings options(int port, FairShare share) {
        RadiusClient loopback = new RadiusClient(AddressRange.parse("127.0.0.0/8"), Secret.of(SECRET), false, false);
        return new RadiusSettings(
                "127.0.0.1",
                port,
                List.of(loopback),
                Duration.ofSeconds(10),
                256,
                LIMIT,
                1 << 20,
                share,
                Duration.ofSeconds(1),
                1 << 20);
    }

    @BeforeEach
    void open() throws IOException {
        feed.open(0);
        client = new DatagramSocket();
        client.connect(feed.address());
        client.setSoTimeout((int) TestTimeout.MAX.toMillis());
    }

    @AfterEach
    void close() {
        client.close();
        feed.close();
    }

    private void send(byte[] packet) throws IOException {
        client.send(new DatagramPacket(packet, packet.length));
    }

    private byte[] receive() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        client.receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    private void expectSilence() throws IOException {
        client.setSoTimeout((int) SHORT.toMillis());
        assertThatThrownBy(this::receive).isInstanceOf(SocketTimeoutException.class);
        client.setSoTimeout((int) TestTimeout.MAX.toMillis());
    }

    private byte[] record(int ordinal) {
        int from = batch.offset(ordinal);
        return Arrays.copyOfRange(batch.bytes(), from, from + batch.length(ordinal));
    }

    private long count(String name) {
        return count(feed, name);
    }

    private static long count(RadiusFeed feed, String name) {
        Counter counter = Objects.requireNonNull(feed.counts().get(name));
        return counter.get();
    }

    @Test
    void shouldBringARequestAndAnswerItOnceItIsStored() throws IOException {
        assertThat(feed.address().getPort()).isPositive();
        assertThat(feed.answers()).isTrue();
        byte[] request = Packets.start(1, "a");
        send(Arrays.copyOf(request, request.length + 9));

        assertThat(feed.poll(batch, TestTimeout.MAX)).isEqualTo(Poll.RECORDS);
        assertThat(batch.count()).isEqualTo(1);
        assertThat(record(0)).isEqualTo(request);
        assertThat(batch.from()).isEqualTo(RecordBatch.NO_POSITION);
        expectSilence();
        feed.stored();
        assertThat(receive()).isEqualTo(Packets.response(request, SECRET));

        send(request);
        assertThat(receive()).isEqualTo(Packets.response(request, SECRET));
        assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.NOTHING_YET);
        assertThat(count("answered")).isEqualTo(1);
        assertThat(count("repeated")).isEqualTo(1);
    }

    @Test
    void shouldHaveNothingWhereNothingComes() throws IOException {
        assertThat(feed.poll(batch, Duration.ofMillis(1))).isEqualTo(Poll.NOTHING_YET);
        assertThat(feed.lag()).isZero();
    }

    @Test
    void shouldDoAsFreeRadiusDid() throws IOException {
        for (Packets.Exchange exchange : Packets.freeRadius()) {
            send(exchange.request());
            if (exchange.response().length > 0) {
                if (exchange.request()[0] == 4) {
                    assertThat(feed.poll(batch, TestTimeout.MAX)).isEqualTo(Poll.RECORDS);
                    feed.stored();
                }
                assertThat(receive()).isEqualTo(exchange.response());
            }
        }
        assertThat(count("admitted")).isEqualTo(5);
        assertThat(count("status")).isEqualTo(1);
        assertThat(count("discarded-bad-authenticator")).isEqualTo(1);
    }

    @Test
    void shouldStayWithinItsBoundsWhileNothingIsStoredAndComeBackByItself() throws IOException {
        for (int i = 0; i < 4 * LIMIT; i++) {
            send(Packets.start(i, "a"));
        }
        // Says that all before it was dealt with: it was sent last, and is counted.
        send(new byte[1]);
        await().until(() -> count("discarded-truncated") == 1);
        assertThat(count("admitted")).isEqualTo(LIMIT);
        assertThat(count("discarded-overload")).isEqualTo(3 * LIMIT);
        assertThat(feed.lag()).isEqualTo((long) LIMIT * Packets.start(0, "a").length);
        expectSilence();

        for (int taken = 0; taken < LIMIT; taken += batch.count()) {
            assertThat(feed.poll(batch, TestTimeout.MAX)).isEqualTo(Poll.RECORDS);
            assertThat(batch.count()).isLessThanOrEqualTo(32);
            feed.stored();
        }
        for (int i = 0; i < LIMIT; i++) {
            assertThat(receive()[1]).isEqualTo((byte) i);
        }
        // One that was discarded comes again.
        send(Packets.start(LIMIT, "a"));
        assertThat(feed.poll(batch, TestTimeout.MAX)).isEqualTo(Poll.RECORDS);
        feed.stored();
        assertThat(receive()[1]).isEqualTo((byte) LIMIT);
    }

    /** The flood stops at its share, and is counted; nothing of the other one is lost. */
    @Test
    void shouldAnswerAllOfAClientWhileAnotherFloods() throws IOException {
        try (RadiusFeed fair = new RadiusFeed(options(0, new FairShare(0.75)), 32);
                DatagramSocket flood = new DatagramSocket(Packets.sender("127.0.0.1", 0));
                DatagramSocket other = new DatagramSocket(Packets.sender("127.0.0.2", 0))) {
            fair.open(0);
            flood.connect(fair.address());
            other.connect(fair.address());
            other.setSoTimeout((int) TestTimeout.MAX.toMillis());
            for (int i = 0; i < 4 * LIMIT; i++) {
                byte[] request = Packets.start(i, "flood");
                flood.send(new DatagramPacket(request, request.length));
            }
            int most = 8;
            for (int i = 0; i < most; i++) {
                byte[] request = Packets.start(i, "other");
                other.send(new DatagramPacket(request, request.length));
            }
            await().until(() -> count(fair, "received") == 4 * LIMIT + most);
            assertThat(count(fair, "admitted")).isEqualTo(LIMIT * 3 / 4 + most);
            assertThat(count(fair, "discarded-client-overload")).isEqualTo(4 * LIMIT - LIMIT * 3 / 4);
            assertThat(count(fair, "discarded-overload")).isZero();

            while (fair.poll(batch, Duration.ZERO) == Poll.RECORDS) {
                fair.stored();
            }
            Set<Byte> answered = new HashSet<>();
            for (int i = 0; i < most; i++) {
                DatagramPacket answer = new DatagramPacket(new byte[4096], 4096);
                other.receive(answer);
                byte identifier = answer.getData()[1];
                assertThat(Arrays.copyOf(answer.getData(), answer.getLength()))
                        .isEqualTo(Packets.response(Packets.start(identifier, "other"), SECRET));
                answered.add(identifier);
            }
            assertThat(answered).hasSize(most);
            // Its share is free again.
            byte[] request = Packets.start(200, "flood");
            flood.send(new DatagramPacket(request, request.length));
            assertThat(fair.poll(batch, TestTimeout.MAX)).isEqualTo(Poll.RECORDS);
        }
    }

    @Test
    void shouldAnswerWhatIsStoredBeforeItCloses() throws IOException {
        byte[] request = Packets.start(1, "a");
        send(request);
        assertThat(feed.poll(batch, TestTimeout.MAX)).isEqualTo(Poll.RECORDS);
        feed.stored();
        feed.close();

        assertThat(receive()).isEqualTo(Packets.response(request, SECRET));
        assertThatThrownBy(() -> feed.poll(batch, SHORT)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldAnswerEveryRequestOfManySocketsWithItsOwnAnswer() throws Exception {
        byte[] template = Packets.freeRadius().get(2).request();
        LoadClient load = new LoadClient(new LoadClient.Plan(
                feed.address(), Secret.of(SECRET), new NumberedRequests(template), 4, 8, 20_000, 0, 60));
        Set<String> sessions = new HashSet<>();
        Thread pipeline = new Thread(() -> takeAll(sessions, 20_000));
        pipeline.start();

        LoadClient.Result result = load.run();

        pipeline.join();
        assertThat(result.sent()).isEqualTo(20_000);
        assertThat(result.answered()).isEqualTo(20_000);
        assertThat(result.wrong()).isZero();
        assertThat(result.latency().total()).isEqualTo(20_000);
        assertThat(sessions).hasSize(20_000);
        assertThat(count("answered")).isEqualTo(20_000);
    }

    private void takeAll(Set<String> sessions, int all) {
        try {
            while (sessions.size() < all && feed.poll(batch, TestTimeout.MAX) == Poll.RECORDS) {
                for (int i = 0; i < batch.count(); i++) {
                    sessions.add(HexFormat.of().formatHex(record(i), 20, batch.length(i)));
                }
                feed.stored();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldSayThatItsPortIsTaken() {
        try (RadiusFeed second = new RadiusFeed(options(feed.address().getPort()), 32)) {
            assertThatThrownBy(() -> second.open(0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + feed.address().getPort() + ": ")
                    .hasMessageContaining("Use an address of this machine, and a port that is free");
        }
    }
}
