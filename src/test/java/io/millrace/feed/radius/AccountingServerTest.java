package io.millrace.feed.radius;

import static io.millrace.feed.radius.Packets.NAS;
import static io.millrace.feed.radius.Packets.SECRET;
import static io.millrace.feed.radius.Packets.START;
import static io.millrace.feed.radius.Packets.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.feed.FairShare;
import io.millrace.feed.radius.packet.Secret;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AccountingServerTest {

    private static final InetSocketAddress NAS_A = Packets.sender("10.0.3.4", 50_000);
    private static final InetSocketAddress NAS_B = Packets.sender("10.0.3.4", 50_001);
    private static final InetSocketAddress STRANGER = Packets.sender("11.0.3.4", 50_000);
    private static final int LIMIT = 8;

    private final Outlet outlet = new Outlet();
    private final RadiusCounters counters = new RadiusCounters();
    private final RequestQueue queue = new RequestQueue(LIMIT, 1 << 16, new FairShare(1), new FairShare(1));
    private final byte[] into = new byte[1 << 16];
    private final int[] bounds = new int[100];
    private long now = 1_000_000_000_000L;
    private final AccountingServer server = new AccountingServer(options(), queue, counters, outlet, () -> now);

    private static RadiusSettings options() {
        List<RadiusClient> clients =
                List.of(new RadiusClient(AddressRange.parse("10.0.0.0/8"), Secret.of(SECRET), false, false));
        return new RadiusSettings(
                "127.0.0.1",
                0,
                clients,
                Duration.ofSeconds(10),
                16,
                LIMIT,
                1 << 16,
                new FairShare(1),
                Duration.ofSeconds(1),
                1 << 16);
    }

    private void receive(byte[] packet, InetSocketAddress sender) {
        server.receive(Arrays.copyOf(packet, 4096), packet.length, sender);
    }

    private int store() {
        int count = queue.take(into, bounds);
        queue.storedAllTaken();
        server.answerStored();
        return count;
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private long discarded(Discard reason) {
        return counters.discarded(reason).get();
    }

    @AfterEach
    void everyDatagramIsAccountedFor() {
        long discards = 0;
        for (Discard reason : Discard.values()) {
            discards += discarded(reason);
        }
        assertThat(counters.received.get())
                .isEqualTo(counters.admitted.get() + counters.repeated.get() + counters.status.get() + discards);
    }

    @Test
    void shouldAnswerWhatIsStoredAndNothingBefore() {
        byte[] first = Packets.start(1, "a");
        byte[] second = Packets.request(2, START, attribute(44, "b"), NAS, attribute(33, "p"));
        receive(first, NAS_A);
        receive(second, NAS_B);
        server.answerStored();
        assertThat(queue.take(into, bounds)).isEqualTo(2);
        assertThat(Arrays.copyOfRange(into, bounds[0], bounds[1])).isEqualTo(first);
        assertThat(Arrays.copyOfRange(into, bounds[1], bounds[2])).isEqualTo(second);
        server.answerStored();
        assertThat(outlet.sent).isEmpty();

        byte[] third = Packets.start(3, "c");
        receive(third, NAS_A);
        queue.storedAllTaken();
        server.answerStored();

        assertThat(outlet.sent).hasSize(2);
        outlet.assertSent(0, Packets.response(first, SECRET), NAS_A);
        outlet.assertSent(1, Packets.response(second, SECRET, attribute(33, "p")), NAS_B);
        assertThat(counters.answered.get()).isEqualTo(2);
    }

    @Test
    void shouldIgnoreARepeatedRequestInProgressAndAnswerItAgainAfterThat() {
        byte[] request = Packets.start(1, "a");
        receive(request, NAS_A);
        receive(request, NAS_A);
        assertThat(store()).isEqualTo(1);
        assertThat(outlet.sent).hasSize(1);
        assertThat(discarded(Discard.IN_PROGRESS)).isEqualTo(1);

        pass(Duration.ofSeconds(10));
        receive(request, NAS_A);

        assertThat(outlet.sent).hasSize(2);
        outlet.assertSent(1, Packets.response(request, SECRET), NAS_A);
        assertThat(counters.repeated.get()).isEqualTo(1);
        assertThat(store()).isZero();
    }

    @Test
    void shouldTakeARequestAgainAfterALongTimeOrFromAnotherPort() {
        byte[] request = Packets.start(1, "a");
        receive(request, NAS_A);
        receive(request, NAS_B);
        assertThat(store()).isEqualTo(2);
        pass(Duration.ofSeconds(11));
        receive(request, NAS_A);

        assertThat(store()).isEqualTo(1);
    }

    @Test
    void shouldTakeAnotherRequestWithTheSameIdentifier() {
        receive(Packets.start(1, "a"), NAS_A);
        receive(Packets.start(1, "b"), NAS_A);

        assertThat(store()).isEqualTo(2);
    }

    @Test
    void shouldDiscardWhatIsTooMuchAndGoOnOnceTheStoreDoes() {
        for (int i = 0; i < 3 * LIMIT; i++) {
            receive(Packets.start(i, "a"), NAS_A);
        }
        assertThat(discarded(Discard.OVERLOAD)).isEqualTo(2 * LIMIT);
        assertThat(outlet.sent).isEmpty();

        assertThat(store()).isEqualTo(LIMIT);
        assertThat(outlet.sent).hasSize(LIMIT);
        // What was discarded comes again, and is none of those that are remembered.
        for (int i = LIMIT; i < 2 * LIMIT; i++) {
            receive(Packets.start(i, "a"), NAS_A);
        }
        assertThat(store()).isEqualTo(LIMIT);
        assertThat(outlet.sent).hasSize(2 * LIMIT);
    }

    @Test
    void shouldReportHealthUnlessRequestsWaitForLong() {
        byte[] query = Packets.unsigned(12, 7, attribute(80, new int[16]));
        System.arraycopy(Packets.hmac(query, SECRET), 0, query, 22, 16);
        receive(query, NAS_A);
        outlet.assertSent(0, Packets.response(query, SECRET), NAS_A);

        receive(Packets.start(1, "a"), NAS_A);
        pass(Duration.ofSeconds(1));
        receive(query, NAS_A);
        assertThat(outlet.sent).hasSize(2);
        pass(Duration.ofMillis(1));
        receive(query, NAS_A);
        assertThat(outlet.sent).hasSize(2);
        assertThat(discarded(Discard.NOT_READY)).isEqualTo(1);

        store();
        receive(query, NAS_A);
        assertThat(outlet.sent).hasSize(4);
        assertThat(counters.status.get()).isEqualTo(3);
    }

    @Test
    void shouldWaitWithAnswersUntilTheSocketTakesThem() {
        for (int i = 0; i < 4; i++) {
            receive(Packets.start(i, "a"), NAS_A);
        }
        outlet.room = 3;
        store();
        assertThat(outlet.sent).hasSize(3);
        receive(Packets.start(0, "a"), NAS_A);
        assertThat(discarded(Discard.UNSENT)).isEqualTo(1);
        receive(Packets.start(3, "a"), NAS_A);
        assertThat(discarded(Discard.IN_PROGRESS)).isEqualTo(1);

        outlet.room = 100;
        server.answerStored();
        assertThat(outlet.sent).hasSize(4);
    }

    @Test
    void shouldDiscardInSilenceWhatIsNoRequestOfAClient() {
        receive(Packets.start(1, "a"), STRANGER);
        receive(Packets.sign(Packets.start(1, "a"), "wrong"), NAS_A);
        receive(new byte[0], NAS_A);

        assertThat(store()).isZero();
        assertThat(outlet.sent).isEmpty();
        assertThat(discarded(Discard.UNKNOWN_CLIENT)).isEqualTo(1);
        assertThat(discarded(Discard.BAD_AUTHENTICATOR)).isEqualTo(1);
        assertThat(discarded(Discard.TRUNCATED)).isEqualTo(1);
        assertThat(counters.byName()).containsKeys("received", "discarded-bad-authenticator", "discarded-overload");
    }

    /** Known requests of a quiet client stay known, however much others send meanwhile. */
    @Test
    void shouldKnowTheRequestsOfAQuietClientInAFloodOfAnother() {
        FairShare share = new FairShare(0.75);
        RadiusSettings options = new RadiusSettings(
                "127.0.0.1",
                0,
                options().clients(),
                Duration.ofSeconds(10),
                16,
                LIMIT,
                1 << 16,
                share,
                Duration.ofSeconds(1),
                1 << 16);
        AccountingServer fair = new AccountingServer(options, queue, counters, outlet, () -> now);
        InetSocketAddress quiet = Packets.sender("10.0.3.5", 50_000);
        byte[] request = Packets.start(1, "quiet");
        outlet.room = 1_000;
        fair.receive(Arrays.copyOf(request, 4096), request.length, quiet);
        for (int i = 0; i < 200; i++) {
            byte[] flood = Packets.start(i, "flood" + i);
            fair.receive(Arrays.copyOf(flood, 4096), flood.length, NAS_A);
            queue.take(into, bounds);
            queue.storedAllTaken();
            fair.answerStored();
        }
        fair.receive(Arrays.copyOf(request, 4096), request.length, quiet);

        assertThat(counters.repeated.get()).isEqualTo(1);
        assertThat(counters.admitted.get()).isEqualTo(201);
    }

    /** Keeps what is sent. */
    private static final class Outlet implements AccountingServer.Outlet {

        final List<byte[]> sent = new ArrayList<>();
        final List<InetSocketAddress> receivers = new ArrayList<>();
        int room = 100;

        @Override
        public boolean isOpen() {
            return sent.size() < room;
        }

        @Override
        public void send(byte[] octets, int length, InetSocketAddress to) {
            sent.add(Arrays.copyOf(octets, length));
            receivers.add(to);
        }

        void assertSent(int index, byte[] response, InetSocketAddress to) {
            assertThat(sent.get(index)).isEqualTo(response);
            assertThat(receivers.get(index)).isEqualTo(to);
        }
    }
}
