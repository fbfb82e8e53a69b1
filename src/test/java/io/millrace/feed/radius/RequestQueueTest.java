package io.millrace.feed.radius;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.feed.FairShare;
import io.millrace.feed.radius.packet.Secret;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestQueueTest {

    private static final RadiusClient CLIENT =
            new RadiusClient(AddressRange.parse("127.0.0.0/8"), Secret.of("s"), false, false);
    private static final InetSocketAddress SENDER = Packets.sender("127.0.0.1", 1);
    private static final FairShare ALL = new FairShare(1);
    private static final byte[] PACKET = new byte[10];

    private static Source source() {
        return new Source(0, 1, CLIENT, new Holding());
    }

    private static int fill(RequestQueue queue, Source source) {
        int added = 0;
        while (queue.add(PACKET, PACKET.length, SENDER, source, 0) == null) {
            added++;
        }
        return added;
    }

    @Test
    void shouldLeaveSpaceForOtherSourcesAndOtherClients() {
        FairShare half = new FairShare(0.5);
        RequestQueue queue = new RequestQueue(64, 1 << 16, half, half);
        Holding client = new Holding();
        Source loud = new Source(0, 1, CLIENT, client);
        Source second = new Source(0, 2, CLIENT, client);
        Source other = new Source(0, 3, CLIENT, new Holding());

        assertThat(fill(queue, loud)).isEqualTo(32);
        assertThat(queue.add(PACKET, 10, SENDER, loud, 0)).isEqualTo(Discard.CLIENT_OVERLOAD);
        // Its client has its share as well, which another client does not suffer from.
        assertThat(fill(queue, second)).isZero();
        assertThat(fill(queue, other)).isEqualTo(16);

        // What was answered is given back, and the loudest now finds less than before.
        queue.take(new byte[1000], new int[41]);
        queue.storedAllTaken();
        while (queue.hasStored()) {
            queue.answer((packet, at, length, sender, of) -> {});
        }
        assertThat(loud.own().pendingRequests).isZero();
        assertThat(loud.own().pendingOctets).isZero();
        assertThat(client.pendingRequests).isZero();
        assertThat(other.own().pendingRequests).isEqualTo(8);
        assertThat(fill(queue, loud)).isEqualTo(28);
    }

    @Test
    void shouldLeaveOctetsForOtherSources() {
        RequestQueue queue = new RequestQueue(1024, 1000, new FairShare(0.5), ALL);
        Holding client = new Holding();
        assertThat(fill(queue, new Source(0, 1, CLIENT, client))).isEqualTo(50);
        assertThat(fill(queue, new Source(0, 2, CLIENT, client))).isEqualTo(25);
        // One that has nothing gets in wherever it fits.
        assertThat(queue.add(new byte[200], 200, SENDER, new Source(0, 3, CLIENT, client), 0))
                .isNull();
        assertThat(queue.add(new byte[60], 60, SENDER, new Source(0, 4, CLIENT, client), 0))
                .isEqualTo(Discard.OVERLOAD);
    }

    @ParameterizedTest
    @CsvSource({"1, 0.01, 1", "1, 1, 1", "2, 0.01, 1", "2, 0.75, 1", "64, 0.01, 1", "64, 1, 64", "65536, 1, 65536"})
    void shouldBoundASourceAtTheSmallestAndTheLargestShare(int capacity, double share, int expected) {
        FairShare fraction = new FairShare(share);
        RequestQueue queue = new RequestQueue(capacity, 1 << 20, fraction, fraction);
        assertThat(fill(queue, source())).isEqualTo(expected);
    }

    @Property(tries = 500)
    void shouldHandEveryRequestOverOnceAndInOrderWithinItsBounds(@ForAll Random random) {
        int capacity = 1 << random.nextInt(5);
        int octets = 64 + random.nextInt(200);
        RequestQueue queue = new RequestQueue(capacity, octets, ALL, ALL);
        Source source = source();
        byte[] into = new byte[64 + random.nextInt(100)];
        int[] bounds = new int[2 + random.nextInt(8)];
        Deque<byte[]> toTake = new ArrayDeque<>();
        Deque<byte[]> toAnswer = new ArrayDeque<>();
        int taken = 0;
        int stored = 0;
        for (int step = 0; step < 300; step++) {
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    byte[] packet = new byte[1 + random.nextInt(64)];
                    random.nextBytes(packet);
                    int held = toAnswer.stream().mapToInt(bytes -> bytes.length).sum();
                    boolean added = queue.add(packet, packet.length, SENDER, source, step) == null;
                    if (added) {
                        toTake.add(packet);
                        toAnswer.add(packet);
                        assertThat(held + packet.length).isLessThanOrEqualTo(octets);
                        assertThat(toAnswer).hasSizeLessThanOrEqualTo(capacity);
                    } else {
                        // What is lost at the ring's end is less than a packet, at the most.
                        assertThat(toAnswer.size() == capacity || held + packet.length + 64 > octets)
                                .isTrue();
                    }
                }
                case 2 -> {
                    int count = queue.take(into, bounds);
                    assertThat(count).isLessThan(bounds.length);
                    for (int i = 0; i < count; i++) {
                        assertThat(Arrays.copyOfRange(into, bounds[i], bounds[i + 1]))
                                .isEqualTo(toTake.remove());
                    }
                    assertThat(count > 0 || toTake.isEmpty()).isTrue();
                    taken += count;
                }
                default -> {
                    if (random.nextBoolean()) {
                        queue.storedAllTaken();
                        stored = taken;
                    }
                    while (queue.hasStored()) {
                        queue.answer((packet, at, length, sender, client) -> {
                            assertThat(Arrays.copyOfRange(packet, at, at + length))
                                    .isEqualTo(toAnswer.remove());
                            assertThat(sender).isSameAs(SENDER);
                            assertThat(client).isSameAs(CLIENT);
                        });
                        stored--;
                        taken--;
                    }
                    assertThat(stored).isZero();
                }
            }
            assertThat(queue.octetsToTake() == 0).isEqualTo(toTake.isEmpty());
        }
    }

    @Test
    void shouldReportForHowLongTheOldestWaits() {
        RequestQueue queue = new RequestQueue(4, 100, ALL, ALL);
        assertThat(queue.oldestNanos(50)).isZero();
        queue.add(new byte[10], 10, SENDER, source(), 100);
        queue.add(new byte[10], 10, SENDER, source(), 200);
        assertThat(queue.oldestNanos(300)).isEqualTo(200);

        queue.take(new byte[10], new int[2]);
        queue.storedAllTaken();
        assertThat(queue.oldestNanos(300)).isEqualTo(200);
        queue.answer((packet, at, length, sender, client) -> {});
        assertThat(queue.oldestNanos(300)).isEqualTo(100);
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldLoseNothingBetweenTwoThreads() throws InterruptedException {
        int all = 200_000;
        RequestQueue queue = new RequestQueue(256, 4096, ALL, ALL);
        Source source = source();
        Thread pipeline = new Thread(() -> {
            byte[] into = new byte[1024];
            int[] bounds = new int[65];
            int expected = 0;
            while (expected < all) {
                if (queue.await(TimeUnit.SECONDS.toNanos(30))) {
                    int count = queue.take(into, bounds);
                    for (int i = 0; i < count; i++) {
                        if (into[bounds[i]] != (byte) expected || into[bounds[i + 1] - 1] != (byte) (expected >> 8)) {
                            return;
                        }
                        expected++;
                    }
                    queue.storedAllTaken();
                }
            }
        });
        pipeline.start();
        byte[] packet = new byte[40];
        int answered = 0;
        int sent = 0;
        while (answered < all && (pipeline.isAlive() || queue.hasStored())) {
            int length = 2 + sent % 39;
            packet[0] = (byte) sent;
            packet[length - 1] = (byte) (sent >> 8);
            if (sent < all && queue.add(packet, length, SENDER, source, 0) == null) {
                sent++;
                queue.wake();
            }
            while (queue.hasStored()) {
                queue.answer((bytes, at, answeredLength, sender, client) -> {});
                answered++;
            }
        }
        pipeline.join();
        assertThat(answered).isEqualTo(all);
    }
}
