package io.millrace.feed.pcap;

import static io.millrace.feed.pcap.Frames.UDP;
import static io.millrace.feed.pcap.Frames.cooked2;
import static io.millrace.feed.pcap.Frames.ethernet;
import static io.millrace.feed.pcap.Frames.extension;
import static io.millrace.feed.pcap.Frames.ipv4;
import static io.millrace.feed.pcap.Frames.ipv6;
import static io.millrace.feed.pcap.Frames.ipv6Fragment;
import static io.millrace.feed.pcap.Frames.udp;
import static io.millrace.feed.pcap.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Any bytes are a capture up to some place, or none: the one exception is {@link CaptureException}, no record lies
 * outside the bytes, and reading ends. With JAZZER_FUZZ=1 set, Jazzer searches for others.
 */
class PcapFeedFuzzTest {

    private static final int[] LENGTHS = {0, 1, 4, 7, 8, 12, 20, 65_535, 262_144, 262_145, -1, Integer.MIN_VALUE};

    @FuzzTest
    void shouldReadOrRefuseAnything(byte[] capture) throws IOException {
        readOrRefuse(capture);
    }

    /** A packet of any link-layer type. */
    @FuzzTest
    void shouldReadAnyPacket(byte[] packet) throws IOException {
        for (int linkType : new int[] {0, 1, 101, 113, 276}) {
            readOrRefuse(
                    new PcapWriter(linkType).packet(1, packet).packet(2, packet).toBytes());
        }
    }

    @Property(tries = 2000)
    void shouldReadOrRefuseACaptureThatWasTamperedWith(@ForAll Random random) throws IOException {
        byte[] capture = random.nextBoolean() ? pcap(random) : pcapng(random);
        for (int i = random.nextInt(6); i > 0; i--) {
            tamper(capture, random);
        }

        readOrRefuse(capture);
    }

    static byte[] pcap(Random random) {
        PcapWriter writer =
                new PcapWriter(random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, false, 1);
        for (byte[] ip : packets()) {
            byte[] frame = ethernet(ip, 0x8100);
            writer.packet(1, frame, random.nextInt(10) == 0 ? random.nextInt(frame.length) : frame.length);
        }
        return writer.toBytes();
    }

    static byte[] pcapng(Random random) {
        PcapngWriter writer = new PcapngWriter(random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        writer.describe(101, random.nextInt(256), random.nextLong()).describe(276);
        for (byte[] ip : packets()) {
            writer.enhanced(0, random.nextLong(), ip)
                    .obsolete(1, 1, cooked2(ip))
                    .simple(ip);
        }
        return writer.toBytes();
    }

    private static byte[][] packets() {
        byte[] datagram = udp(request(1, 60));
        return new byte[][] {
            ipv4(UDP, datagram),
            ipv6(0, extension(60, 1, extension(UDP, 0, datagram))),
            Frames.fragments(1, 40, datagram).get(0),
            Frames.fragments(1, 40, datagram).get(1),
            ipv6Fragment(UDP, 1, 0, true, datagram),
            ipv6Fragment(60, 2, 8, false, datagram),
        };
    }

    private static void tamper(byte[] capture, Random random) {
        int at = random.nextInt(capture.length - 4);
        if (random.nextBoolean()) {
            capture[at] = (byte) random.nextInt();
            return;
        }
        int length = LENGTHS[random.nextInt(LENGTHS.length)];
        boolean big = random.nextBoolean();
        for (int i = 0; i < 4; i++) {
            capture[at + i] = (byte) (length >>> (8 * (big ? 3 - i : i)));
        }
    }

    static void readOrRefuse(byte[] capture) throws IOException {
        Path folder = Files.createTempDirectory("capture");
        try {
            Brought brought = Brought.of(folder, capture);
            assertThat(brought.records().size() + brought.pieces().size()).isLessThanOrEqualTo(capture.length);
            assertThat(brought.pieces().values()).allSatisfy(piece -> {
                assertThat(piece.bytes().length).isLessThanOrEqualTo(capture.length);
                assertThat(piece.detail()).isNotBlank();
            });
        } catch (CaptureException refused) {
            assertThat(refused).hasMessageMatching("(?s)Invalid capture '.*x\\.pcap' at byte \\d+: .+");
        } finally {
            Files.deleteIfExists(folder.resolve("x.pcap"));
            Files.delete(folder);
        }
    }
}
