package io.millrace.feed.radius;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.MillraceProcess;
import io.millrace.TestTimeout;
import io.millrace.nemesis.Mutations;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Floods of the port of a RADIUS feed, each of one kind, to a service on a small heap. Meanwhile the service answers
 * another client, and afterwards each datagram that it has received is counted once.
 *
 * <p>{@code -Dmillrace.flood.datagrams=1000000} sends at least so many of each kind.
 */
@Tag("long")
class RadiusFloodIT {

    private static final int DATAGRAMS = Integer.getInteger("millrace.flood.datagrams", 20_000);
    private static final int ANSWERS_TO_OTHERS = 200;
    private static final int LONGEST_DATAGRAM = 65_507;
    private static final String CLIENT = "127.0.0.9";
    private static final String STRANGER = "127.0.0.10";

    private final SplittableRandom random = new SplittableRandom(20_261_127);
    private int number;

    @TempDir
    Path folder;

    /**
     * A kind of flood.
     *
     * @param sender its address
     * @param datagrams returns the datagram of a number
     */
    private record Flood(String name, String sender, IntFunction<byte[]> datagrams) {}

    private List<Flood> floods() {
        List<byte[]> recorded =
                Packets.freeRadius().stream().map(Packets.Exchange::request).toList();
        Mutations mutations = new Mutations(20_261_127, recorded);
        byte[] repeated = Packets.start(7, "repeated");
        byte[] longest = Arrays.copyOf(Packets.start(7, "longest"), LONGEST_DATAGRAM);
        List<Flood> floods = new ArrayList<>();
        floods.add(new Flood("empty", CLIENT, _ -> new byte[0]));
        floods.add(new Flood("one octet", CLIENT, _ -> new byte[] {4}));
        floods.add(new Flood("longest", CLIENT, _ -> longest));
        floods.add(new Flood("random", CLIENT, _ -> bytes(20 + random.nextInt(4077))));
        floods.add(new Flood("damaged", CLIENT, _ -> shortened(mutations.next())));
        floods.add(new Flood("damaged and signed", CLIENT, _ -> signed(mutations.next())));
        floods.add(new Flood("of a stranger", STRANGER, i -> Packets.start(i, "stranger")));
        floods.add(new Flood("wrong secret", CLIENT, i -> Packets.sign(Packets.start(i, "forged"), "another")));
        floods.add(new Flood("status", CLIENT, RecordingClient::statusServer));
        floods.add(new Flood("repeated", CLIENT, _ -> repeated));
        floods.add(new Flood("different", CLIENT, i -> Packets.start(i, "flood-" + i)));
        return floods;
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] shortened(byte[] datagram) {
        return Arrays.copyOf(datagram, Math.min(datagram.length, LONGEST_DATAGRAM));
    }

    private static byte[] signed(byte[] damaged) {
        byte[] packet = Arrays.copyOf(damaged, Math.clamp(damaged.length, 20, 4096));
        packet[0] = 4;
        packet[2] = (byte) (packet.length >> 8);
        packet[3] = (byte) packet.length;
        return Packets.sign(packet, Packets.SECRET);
    }

    @Test
    void shouldAnswerOthersAndCountAllDuringAnyFlood() throws Exception {
        int port = FreePort.next();
        Files.writeString(folder.resolve("config.yml"), """
            millrace:
              regions:
                all: { layout: blocks, retain: { size: 20MB } }
              pipelines:
                accounting:
                  feed:
                    radius:
                      port: %d
                      clients: [ { address: 127.0.0.1, secret: %s }, { address: %s, secret: %s } ]
                  schema: radius-accounting
                  steps:
                    - to: all
            """.formatted(port, Packets.SECRET, CLIENT, Packets.SECRET));
        try (MillraceProcess millrace =
                        MillraceProcess.startWithHeap(folder, "256m", "run", "config.yml", "--server.port=0");
                RecordingClient other = new RecordingClient(port, 2_000, 0)) {
            await().until(() -> !millrace.alive() || other.answers() > 0);
            for (Flood flood : floods()) {
                long begin = System.nanoTime();
                int before = other.answers();
                int sent = send(flood, port, other, before + ANSWERS_TO_OTHERS);
                System.out.printf(
                        "%s: %d datagrams in %d ms, %d answers to another client%n",
                        flood.name(),
                        sent,
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin),
                        other.answers() - before);
                assertThat(millrace.get("/actuator/health/liveness"))
                        .as(flood.name())
                        .contains("UP");
            }
            other.finish();
            await().until(() -> other.answers() == other.sent());
            await().untilAsserted(() -> requireEachCountedOnce(millrace));
            assertThat(millrace.output()).doesNotContain("OutOfMemoryError", "ERROR");
        }
    }

    /** Sends until the other client has got so many answers. */
    private int send(Flood flood, int port, RecordingClient other, int answers) throws Exception {
        long last = System.nanoTime() + TestTimeout.MAX.toNanos();
        int sent = 0;
        try (DatagramSocket socket = new DatagramSocket(Packets.sender(flood.sender(), 0))) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            while (sent < DATAGRAMS || other.answers() < answers) {
                for (int i = 0; i < 100; i++) {
                    byte[] datagram = flood.datagrams().apply(number++);
                    socket.send(new DatagramPacket(datagram, datagram.length));
                }
                sent += 100;
                assertThat(System.nanoTime())
                        .as("%s: %d answers to another client", flood.name(), other.answers() - answers)
                        .isLessThan(last);
            }
        }
        return sent;
    }

    private static void requireEachCountedOnce(MillraceProcess millrace) throws Exception {
        JsonNode counts = JsonMapper.shared()
                .readTree(String.valueOf(millrace.get("/api/pipelines/accounting")))
                .at("/feed");
        long outcomes = 0;
        for (Map.Entry<String, JsonNode> count : counts.properties()) {
            String name = count.getKey();
            if (name.startsWith("discarded-")
                    || List.of("admitted", "repeated", "status").contains(name)) {
                outcomes += count.getValue().asLong();
            }
        }
        System.out.println(counts);
        assertThat(counts.at("/received").asLong()).isPositive().isEqualTo(outcomes);
    }
}
