package io.millrace.feed.radius;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.feed.FairShare;
import io.millrace.feed.radius.packet.RadiusPacket;
import io.millrace.feed.radius.packet.Secret;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Any datagram is admitted, answered or discarded for one of the reasons, and what is admitted is a packet that can be
 * answered. With JAZZER_FUZZ=1 set, Jazzer searches for others.
 */
class AccountingServerFuzzTest {

    private static final InetSocketAddress SENDER = Packets.sender("10.0.3.4", 50_000);
    private static final int[] TYPES = {1, 2, 4, 26, 32, 33, 40, 44, 80, 241, 245, 255};

    @FuzzTest
    void shouldDealWithAnyDatagram(byte[] datagram) {
        deal(datagram);
    }

    /** Signed by nobody: what a client may do who knows the secret. */
    @FuzzTest
    void shouldDealWithAnyAttributes(byte[] attributes) {
        byte[] packet = Packets.unsigned(4, 1, Arrays.copyOf(attributes, Math.min(attributes.length, 4076)));
        deal(Packets.sign(packet, Packets.SECRET));
    }

    @Property(tries = 3000)
    void shouldDealWithARequestThatWasTamperedWith(@ForAll Random random) {
        byte[] packet = random(random);
        for (int i = random.nextInt(4); i > 0; i--) {
            packet[20 + random.nextInt(packet.length - 20)] = (byte) random.nextInt(random.nextBoolean() ? 4 : 256);
        }
        if (random.nextInt(8) > 0) {
            Packets.sign(packet, Packets.SECRET);
        }
        int length = random.nextInt(8) > 0 ? packet.length : random.nextInt(packet.length + 40);
        deal(Arrays.copyOf(packet, length));
    }

    private static byte[] random(Random random) {
        byte[][] attributes = new byte[1 + random.nextInt(12)][];
        for (int i = 0; i < attributes.length; i++) {
            int[] value = random.ints(random.nextInt(random.nextInt(8) == 0 ? 254 : 20))
                    .toArray();
            attributes[i] = Packets.attribute(TYPES[random.nextInt(TYPES.length)], value);
        }
        attributes[0] = random.nextBoolean() ? Packets.START : attributes[0];
        return Packets.unsigned(random.nextInt(8) > 0 ? 4 : 12, random.nextInt(256), attributes);
    }

    static void deal(byte[] datagram) {
        RadiusCounters counters = new RadiusCounters();
        RequestQueue queue = new RequestQueue(4, 4 * 4096, new FairShare(1), new FairShare(1));
        int[] responses = {0};
        AccountingServer.Outlet outlet = new AccountingServer.Outlet() {
            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void send(byte[] octets, int length, InetSocketAddress to) {
                assertThat(length).isBetween(20, 4096);
                assertThat(octets[0]).isEqualTo((byte) 5);
                assertThat(octets[1]).isEqualTo(datagram[1]);
                assertThat(RadiusPacket.length(octets, 0)).isEqualTo(length);
                responses[0]++;
            }
        };
        RadiusClient client = new RadiusClient(
                AddressRange.parse("10.0.0.0/8"), Secret.of(Packets.SECRET), datagram.length % 2 == 0, false);
        RadiusSettings options = new RadiusSettings(
                "127.0.0.1",
                0,
                List.of(client),
                Duration.ofSeconds(10),
                4,
                4,
                4 * 4096,
                new FairShare(1),
                Duration.ofSeconds(1),
                1 << 16);
        AccountingServer server = new AccountingServer(options, queue, counters, outlet, () -> 0);

        server.receive(Arrays.copyOf(datagram, 4096), Math.min(datagram.length, 4096), SENDER);
        byte[] into = new byte[4096];
        int[] bounds = new int[2];
        int taken = queue.take(into, bounds);
        queue.storedAllTaken();
        server.answerStored();

        long discards = 0;
        for (Discard reason : Discard.values()) {
            discards += counters.discarded(reason).get();
        }
        assertThat(discards + counters.admitted.get() + counters.status.get()).isEqualTo(1);
        assertThat(counters.admitted.get()).isEqualTo(taken);
        assertThat(responses[0]).isEqualTo((int) (1 - discards));
        assertThat(Arrays.copyOf(into, bounds[taken])).isEqualTo(Arrays.copyOf(datagram, bounds[taken]));
    }
}
