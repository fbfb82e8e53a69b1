package io.millrace.feed.pcap;

import static io.millrace.feed.pcap.Frames.PORT;
import static io.millrace.feed.pcap.Frames.TCP;
import static io.millrace.feed.pcap.Frames.UDP;
import static io.millrace.feed.pcap.Frames.cooked;
import static io.millrace.feed.pcap.Frames.cooked2;
import static io.millrace.feed.pcap.Frames.ethernet;
import static io.millrace.feed.pcap.Frames.extension;
import static io.millrace.feed.pcap.Frames.ipv4;
import static io.millrace.feed.pcap.Frames.ipv6;
import static io.millrace.feed.pcap.Frames.ipv6Fragment;
import static io.millrace.feed.pcap.Frames.join;
import static io.millrace.feed.pcap.Frames.loopback;
import static io.millrace.feed.pcap.Frames.udp;
import static io.millrace.feed.pcap.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.sun.management.ThreadMXBean;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.radius.packet.AccountingRequestFramer;
import io.millrace.feed.radius.packet.Secret;
import io.millrace.schema.Schema;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PcapFeedTest {

    private static final int ETHERNET = 1;
    private static final byte[] DATAGRAM = udp(request(7));

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"BIG_ENDIAN,true", "BIG_ENDIAN,false", "LITTLE_ENDIAN,true", "LITTLE_ENDIAN,false"})
    void shouldReadPcapOfEitherOrderAndUnit(String order, boolean nanos) throws IOException {
        PcapWriter writer =
                new PcapWriter(order.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, nanos, 1);
        byte[][] requests = new byte[10][];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = request(i, 40 + i);
            writer.packet(i, ethernet(ipv4(UDP, udp(requests[i]))));
        }

        Brought brought = Brought.of(folder, writer.toBytes());

        assertThat(brought.records().values()).containsExactlyElementsOf(Brought.hex(requests));
        assertThat(brought.records().firstKey()).isZero();
        assertThat(brought.records().lastKey()).isEqualTo(9);
        assertThat(brought.counts()).containsOnly(entry("packets", 10L));
        assertThat(brought.pieces()).isEmpty();
    }

    @Test
    void shouldReadPcapngSectionsOfEitherOrderWithTheirInterfacesAndBlocks() throws IOException {
        byte[] packet = ipv4(UDP, DATAGRAM);
        byte[] capture = new PcapngWriter(ByteOrder.BIG_ENDIAN)
                .describe(101)
                .describe(ETHERNET, 9, 0)
                .block(0x0bad, new byte[8])
                .enhanced(0, 1, packet)
                .enhanced(1, 2, ethernet(packet))
                .simple(packet)
                .obsolete(1, 3, ethernet(packet))
                .section(ByteOrder.LITTLE_ENDIAN)
                .block(5, new byte[400])
                .describe(113)
                .enhanced(0, 1, cooked(packet))
                .describe(276, 0x80 | 20, -5)
                .obsolete(1, 1, cooked2(packet))
                .simple(cooked(packet))
                .describe(9999)
                .enhanced(2, 1, packet)
                .toBytes();

        Brought brought = Brought.of(folder, capture);

        assertThat(brought.records().values())
                .containsExactlyElementsOf(
                        Collections.nCopies(7, Brought.hex(request(7)).getFirst()));
        assertThat(brought.counts()).containsOnly(entry("packets", 8L), entry("unknown-links", 1L));
    }

    @Test
    void shouldFindDatagramsBehindEveryLinkLayer() throws IOException {
        for (byte[] ip : List.of(ipv4(UDP, DATAGRAM), ipv6(UDP, DATAGRAM))) {
            int family = (ip[0] >>> 4) == 4 ? 2 : 30;
            assertFound(ETHERNET, ethernet(ip));
            assertFound(ETHERNET, ethernet(ip, 0x8100));
            assertFound(ETHERNET, ethernet(ip, 0x88a8, 0x8100));
            assertFound(ETHERNET, ethernet(ip, 0x9100, 0x8100, 0x8100));
            assertFound(113, cooked(ip));
            assertFound(276, cooked2(ip));
            assertFound(0, loopback(ByteOrder.LITTLE_ENDIAN, family, ip));
            assertFound(0, loopback(ByteOrder.BIG_ENDIAN, family, ip));
            assertFound(108, loopback(ByteOrder.BIG_ENDIAN, family, ip));
            assertFound(101, ip);
            assertFound(12, ip);
            assertFound((ip[0] >>> 4) == 4 ? 228 : 229, ip);
        }
    }

    @Test
    void shouldStepOverExtensionHeaders() throws IOException {
        assertFound(101, ipv6(0, extension(60, 0, extension(43, 3, extension(UDP, 1, DATAGRAM)))));
        // An authentication header counts in units of four bytes, less two.
        assertFound(101, ipv6(51, join(new byte[] {UDP, 4}, join(new byte[22], DATAGRAM))));
        // A fragment header on a datagram that is whole.
        assertFound(101, ipv6Fragment(UDP, 9, 0, false, DATAGRAM));
    }

    private void assertFound(int linkType, byte[] packet) throws IOException {
        byte[] capture = new PcapWriter(linkType).packet(1, packet).toBytes();
        assertThat(Brought.of(folder, capture).records().values()).containsExactlyElementsOf(Brought.hex(request(7)));
        for (int captured = 0; captured < packet.length; captured++) {
            Brought cut = Brought.of(
                    folder, new PcapWriter(linkType).packet(1, packet, captured).toBytes());
            boolean padding = linkType == ETHERNET && !cut.records().isEmpty();
            assertThat(cut.counts()).containsEntry("packets", 1L);
            assertThat(cut.counts().getOrDefault("cut", 0L)).isEqualTo(padding ? 0 : 1);
        }
    }

    @Test
    void shouldCountWhatIsNoRecord() throws IOException {
        byte[] status = request(1);
        status[0] = 12;
        byte[] capture = new PcapWriter(ETHERNET)
                .packet(1, ethernet(ipv4(TCP, DATAGRAM)))
                .packet(1, ethernet(ipv6(59, DATAGRAM)))
                .packet(1, ethernet(new byte[] {0x50}))
                .packet(1, new byte[60])
                .packet(1, ethernet(ipv4(UDP, udp(PORT, 1812, request(1)))))
                .packet(1, ethernet(ipv4(UDP, udp(status))))
                .packet(1, ethernet(ipv4(UDP, udp())))
                .packet(1, ethernet(ipv4(UDP, udp(request(2)))))
                .toBytes();

        Brought brought = Brought.of(folder, capture);

        assertThat(brought.records().values()).containsExactlyElementsOf(Brought.hex(request(2)));
        assertThat(brought.counts())
                .containsOnly(
                        entry("packets", 8L),
                        entry("not-udp", 4L),
                        entry("other-ports", 1L),
                        entry("other-datagrams", 2L));
    }

    @Test
    void shouldReadTheRequestedSide() throws IOException {
        byte[] capture = new PcapWriter(101)
                .packet(1, ipv4(UDP, udp(PORT, 5, request(1))))
                .packet(1, ipv4(UDP, udp(5, PORT, request(2))))
                .packet(1, ipv4(UDP, udp(5, 5, request(3))))
                .toBytes();
        Path file = Files.write(folder.resolve("sides.pcap"), capture);
        List<List<String>> bySide = new ArrayList<>();
        for (PortFilter.Side side : PortFilter.Side.values()) {
            PcapFeed feed = new PcapFeed(file, new PortFilter(PORT, side), new AccountingRequestFramer(null), 0, 10);
            bySide.add(List.copyOf(Brought.read(feed, 0).records().values()));
        }

        assertThat(bySide)
                .containsExactly(Brought.hex(request(2)), Brought.hex(request(1)), Brought.hex(request(1), request(2)));
    }

    @Test
    void shouldLeaveOutPaddingBehindARequest() throws IOException {
        byte[] capture = new PcapWriter(101)
                .packet(1, ipv4(UDP, udp(join(request(3), new byte[5]))))
                .toBytes();

        assertThat(Brought.of(folder, capture).records().values()).containsExactlyElementsOf(Brought.hex(request(3)));
    }

    @Test
    void shouldPutFragmentsTogetherInAnyOrder() throws IOException {
        byte[] request = request(5, 4096);
        for (int seed = 0; seed < 20; seed++) {
            List<byte[]> fragments = Frames.fragments(77, 8 * (1 + seed * 5), udp(request));
            fragments.add(fragments.getFirst());
            if (seed > 0) {
                Collections.shuffle(fragments, new Random(seed));
            }
            PcapWriter writer = new PcapWriter(ETHERNET);
            fragments.forEach(fragment -> writer.packet(1, ethernet(fragment)));

            Brought brought = Brought.of(folder, writer.toBytes());

            assertThat(brought.records().values()).containsExactlyElementsOf(Brought.hex(request));
            assertThat(brought.counts()).containsEntry("reassembled", 1L).containsEntry("fragments", (long)
                    fragments.size());
        }
    }

    @Test
    void shouldPutFragmentsOfIpv6Together() throws IOException {
        byte[] payload = extension(UDP, 0, DATAGRAM);
        byte[] capture = new PcapWriter(101)
                .packet(1, ipv6Fragment(60, 3, 16, false, Arrays.copyOfRange(payload, 16, payload.length)))
                .packet(1, ipv6Fragment(60, 3, 0, true, Arrays.copyOf(payload, 16)))
                .toBytes();

        assertThat(Brought.of(folder, capture).records().values()).containsExactlyElementsOf(Brought.hex(request(7)));
    }

    @Test
    void shouldGiveUpFragmentsThatContradictEachOtherOrNeverCome() throws IOException {
        List<byte[]> fragments = Frames.fragments(1, 16, DATAGRAM);
        byte[] other = fragments.get(1).clone();
        other[other.length - 1] ^= 1;
        PcapWriter writer = new PcapWriter(101)
                .packet(1, fragments.get(0))
                .packet(1, fragments.get(1))
                .packet(1, other)
                .packet(1, Frames.ipv4Fragment(UDP, 2, 65_528, false, new byte[16]))
                .packet(1, Frames.ipv4Fragment(UDP, 3, 0, true, new byte[9]));
        // The same identification again, long after.
        List<byte[]> late = Frames.fragments(4, 24, DATAGRAM);
        writer.packet(1, late.get(0)).packet(31_000_000_000L, late.get(1)).packet(31_000_000_000L, late.get(0));

        Brought brought = Brought.of(folder, writer.toBytes());

        assertThat(brought.records().values()).containsExactlyElementsOf(Brought.hex(request(7)));
        assertThat(brought.counts()).containsEntry("fragments-dropped", 4L).containsEntry("reassembled", 1L);
    }

    @Test
    void shouldHoldABoundedNumberOfFragmentedDatagrams() throws IOException {
        PcapWriter writer = new PcapWriter(101);
        List<byte[]> last = new ArrayList<>();
        for (int i = 0; i < Reassembly.MAX_PAYLOADS + 10; i++) {
            List<byte[]> fragments = Frames.fragments(i, 24, udp(request(i)));
            writer.packet(i * 1000L, fragments.get(0));
            last.add(fragments.get(1));
        }
        last.forEach(fragment -> writer.packet(1_000_000, fragment));

        Brought brought = Brought.of(folder, writer.toBytes());

        // The oldest were given up for the newest; the second parts of the oldest then push out the next.
        assertThat(brought.counts().get("fragments-dropped")).isGreaterThanOrEqualTo(10);
        assertThat(brought.counts().getOrDefault("reassembled", 0L))
                .isEqualTo(brought.records().size());
    }

    @Test
    void shouldReportARequestThatWasNotCapturedWhole() throws IOException {
        byte[] packet = ethernet(ipv4(UDP, DATAGRAM));
        byte[] capture = new PcapWriter(ETHERNET)
                .packet(1, packet)
                .packet(1, packet, packet.length - 10)
                .packet(1, packet)
                .toBytes();

        Brought brought = Brought.of(folder, capture);

        assertThat(brought.records()).containsOnlyKeys(0L, 2L);
        Piece piece = brought.onlyPiece();
        assertThat(piece.position()).isOne();
        assertThat(piece.bytes()).isEqualTo(Arrays.copyOf(request(7), 30));
        assertThat(piece.detail())
                .isEqualTo(
                        "Truncated RADIUS accounting request: the capture has 30 of the 40 bytes of its datagram. Capture packets with their whole length.");
        assertThat(brought.counts()).containsEntry("cut", 1L);
    }

    @Test
    void shouldReportMalformedRequests() throws IOException {
        byte[] tooLong = request(1);
        tooLong[3]++;
        byte[] badAttribute = request(1);
        badAttribute[21] = 1;
        byte[] capture = new PcapWriter(101)
                .packet(1, ipv4(UDP, udp(tooLong)))
                .packet(1, ipv4(UDP, udp(badAttribute)))
                .packet(1, ipv4(UDP, udp((byte) 4, (byte) 1, (byte) 0)))
                .toBytes();

        Brought brought = Brought.of(folder, capture);

        assertThat(brought.records()).isEmpty();
        assertThat(brought.pieces()).containsOnlyKeys(0L, 1L, 2L);
        assertThat(brought.pieces().lastEntry().getValue().detail())
                .isEqualTo(
                        "Malformed RADIUS accounting request: the lengths in its datagram of 3 bytes are inconsistent.");
        assertThat(brought.counts()).containsEntry("malformed", 3L);
    }

    @Test
    void shouldLeaveOutRequestsMadeWithAnotherSecret() throws IOException {
        byte[] forged = request(1);
        forged[4]++;
        byte[] capture = new PcapWriter(101)
                .packet(1, ipv4(UDP, udp(request(1))))
                .packet(1, ipv4(UDP, udp(forged)))
                .toBytes();

        Brought brought = Brought.of(folder, capture, new AccountingRequestFramer(Secret.of(Requests.SECRET)), 0);

        assertThat(brought.records().values()).containsExactlyElementsOf(Brought.hex(request(1)));
        assertThat(brought.pieces()).isEmpty();
        assertThat(brought.counts()).containsEntry("forged", 1L);
    }

    @Test
    void shouldBringTheRestFromEveryPosition() throws IOException {
        byte[] capture = mixed();
        Brought all = Brought.of(folder, capture);
        assertThat(all.records()).hasSizeGreaterThan(10);
        assertThat(all.pieces()).hasSizeGreaterThan(2);
        long end = (long) all.records().size() + all.pieces().size();

        for (long from = 0; from <= end; from++) {
            Brought rest = Brought.of(folder, capture, new AccountingRequestFramer(null), from);
            assertThat(rest.records()).isEqualTo(all.records().tailMap(from));
            assertThat(rest.pieces().keySet())
                    .isEqualTo(all.pieces().tailMap(from).keySet());
        }
        assertThatThrownBy(() -> Brought.of(folder, capture, new AccountingRequestFramer(null), end + 1))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("has " + end + " records, but its records were read up to record " + (end + 1));
    }

    /** Requests, whole and in fragments, between such as are cut. */
    private static byte[] mixed() {
        PcapWriter writer = new PcapWriter(ETHERNET);
        for (int i = 0; i < 12; i++) {
            byte[] packet = ethernet(ipv4(UDP, udp(request(i, 40 + i))));
            writer.packet(i, packet);
            if (i % 5 == 0) {
                writer.packet(i, packet, packet.length - 20).packet(i, packet, packet.length - 21);
            }
            Frames.fragments(i, 40, udp(request(i, 80))).forEach(fragment -> writer.packet(1, ethernet(fragment)));
        }
        return writer.toBytes();
    }

    @Test
    void shouldReportWhatIsLeftOfACutFile() throws IOException {
        byte[] first = ipv4(UDP, DATAGRAM);
        byte[] pcap = new PcapWriter(101).packet(1, first).packet(1, first).toBytes();
        byte[] pcapng = new PcapngWriter(ByteOrder.LITTLE_ENDIAN)
                .describe(101)
                .enhanced(0, 1, first)
                .block(0x77, new byte[100])
                .toBytes();
        assertCut(pcap, 24, 24 + 16 + first.length);
        assertCut(pcapng, 28 + 20, pcapng.length - 112);
    }

    private void assertCut(byte[] capture, int header, int second) throws IOException {
        for (int length = header; length < capture.length; length++) {
            Brought brought = Brought.of(folder, Arrays.copyOf(capture, length));
            assertThat(brought.records()).hasSize(length < second ? 0 : 1);
            if (length == header || length == second) {
                assertThat(brought.pieces()).isEmpty();
            } else {
                Piece piece = brought.onlyPiece();
                assertThat(piece.position()).isEqualTo(brought.records().size());
                assertThat(piece.bytes()).hasSizeLessThanOrEqualTo(length);
                assertThat(piece.detail()).contains(" at the end of the capture: " + piece.bytes().length + " of ");
            }
        }
    }

    @Test
    void shouldReportPacketBlocksThatHoldNoPacketAndGoOn() throws IOException {
        byte[] packet = ipv4(UDP, DATAGRAM);
        byte[] capture = new PcapngWriter(ByteOrder.LITTLE_ENDIAN)
                .enhanced(0, 1, packet)
                .simple(packet)
                .describe(101)
                .block(6, new byte[8])
                .enhanced(1, 1, packet)
                .enhanced(0, 1, packet)
                .toBytes();

        Brought brought = Brought.of(folder, capture);

        assertThat(brought.records()).containsOnlyKeys(4L);
        assertThat(brought.pieces().values().stream().map(Piece::detail))
                .containsExactly(
                        "a packet block of interface 0, which is not described, at byte 28 of the capture",
                        "a simple packet block without an interface, or too short, at byte 144 of the capture",
                        "a packet block whose packet does not lie inside, at byte 252 of the capture",
                        "a packet block of interface 1, which is not described, at byte 272 of the capture");
    }

    @Test
    void shouldRefuseWhatIsNoCapture() {
        assertRefused(new byte[0], "begins with ''", "Use a file in the format pcap or pcapng.");
        assertRefused(
                "id,name\n".getBytes(StandardCharsets.UTF_8),
                "begins with '69642c6e'",
                "Use a file in the format pcap or pcapng.");
        assertRefused(Arrays.copyOf(new PcapWriter(1).toBytes(), 20), "ends after 20 of the 24 bytes of its header");
        assertRefused(new PcapWriter(105).toBytes(), "unknown link type 105. Use one of: ", "1 (Ethernet)");
        byte[] version = new PcapWriter(1).toBytes();
        version[4] = 3;
        assertRefused(version, "unknown version 3.4 of pcap. Use version 2.");
    }

    private void assertRefused(byte[] capture, String... says) {
        assertThatThrownBy(() -> Brought.of(folder, capture))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("x.pcap")
                .hasMessageContainingAll(says);
    }

    @Test
    void shouldBringWhatComesBeforeDamage() throws IOException {
        byte[] packet = ipv4(UDP, DATAGRAM);
        byte[] capture = join(
                new PcapWriter(101).packet(1, packet).toBytes(),
                new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
        Path file = Files.write(folder.resolve("damaged.pcap"), capture);
        RecordBatch batch = new RecordBatch(new Schema("any", 0, List.of(), List.of()));
        try (PcapFeed feed = feed(file, 0, new AtomicLong())) {
            feed.open(0);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            assertThat(batch.to()).isOne();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> feed.poll(batch, Duration.ZERO))
                        .isInstanceOf(CaptureException.class)
                        .hasMessageContainingAll(
                                "damaged.pcap' at byte " + (capture.length - 16), "Use an intact copy of the file.");
            }
        }
    }

    @Test
    void shouldKeepThePaceOfTheCapture() throws IOException {
        PcapWriter writer = new PcapWriter(101);
        for (int second : new int[] {100, 100, 102, 101, 110}) {
            writer.packet(second * 1_000_000_000L, ipv4(UDP, DATAGRAM));
        }
        Path file = Files.write(folder.resolve("paced.pcap"), writer.toBytes());
        AtomicLong clock = new AtomicLong(5);
        RecordBatch batch = new RecordBatch(new Schema("any", 0, List.of(), List.of()));
        try (PcapFeed feed = feed(file, 10, clock)) {
            feed.open(0);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            assertThat(batch.count()).isEqualTo(2);
            clock.addAndGet(199_999_999);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.NOTHING_YET);
            clock.addAndGet(1);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            assertThat(batch.count()).isEqualTo(2);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.NOTHING_YET);
            clock.addAndGet(800_000_000);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.END);
        }
    }

    @Test
    void shouldFillABatchNoFurtherThanItHolds() throws IOException {
        PcapWriter writer = new PcapWriter(101);
        IntStream.range(0, 600).forEach(i -> writer.packet(i, ipv4(UDP, udp(request(i, 4096)))));
        Path file = Files.write(folder.resolve("large.pcap"), writer.toBytes());
        RecordBatch batch = new RecordBatch(new Schema("any", 0, List.of(), List.of()));
        try (PcapFeed feed = feed(file, 0, new AtomicLong())) {
            feed.open(0);
            assertThat(feed.lag()).isEqualTo(Files.size(file) - 24);
            List<Integer> counts = new ArrayList<>();
            while (feed.poll(batch, Duration.ZERO) == Poll.RECORDS) {
                counts.add(batch.count());
                assertThat(batch.bytes()).hasSize(1 << 20);
            }
            assertThat(counts).containsExactly(256, 256, 88);
            assertThat(feed.lag()).isZero();
        }
    }

    @Test
    void shouldPauseInACaptureWithoutRecords() throws IOException {
        PcapWriter writer = new PcapWriter(101);
        byte[] other = ipv4(UDP, udp(1, 2, new byte[60_000]));
        for (int i = 0; i < 700; i++) {
            writer.packet(i, other);
        }
        Path file = Files.write(
                folder.resolve("others.pcap"),
                writer.packet(1, ipv4(UDP, DATAGRAM)).toBytes());
        RecordBatch batch = new RecordBatch(new Schema("any", 0, List.of(), List.of()));
        try (PcapFeed feed = feed(file, 0, new AtomicLong())) {
            feed.open(0);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.NOTHING_YET);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.END);
        }
    }

    @Test
    void shouldAllocateNothingForARecord() throws IOException {
        PcapWriter writer = new PcapWriter(ETHERNET);
        List<byte[]> fragments = Frames.fragments(1, 40, udp(request(1, 100)));
        for (int i = 0; i < 40_000; i++) {
            writer.packet(i, ethernet(ipv4(UDP, udp(request(i)))));
            if (i % 10 == 0) {
                fragments.forEach(fragment -> writer.packet(1, ethernet(fragment)));
            }
        }
        Path file = Files.write(folder.resolve("many.pcap"), writer.toBytes());
        // Classes are loaded and loops compiled the first time.
        allocatedBytes(file, 44_000);

        assertThat(allocatedBytes(file, 44_000)).isLessThan(44_000);
    }

    /** What polls from the third on allocate. */
    private static long allocatedBytes(Path file, int expected) throws IOException {
        RecordBatch batch = new RecordBatch(new Schema("any", 0, List.of(), List.of()));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (PcapFeed feed = feed(file, 0, new AtomicLong())) {
            feed.open(0);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            int records = batch.count();
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            records += batch.count();
            long before = threads.getCurrentThreadAllocatedBytes();
            while (feed.poll(batch, Duration.ZERO) == Poll.RECORDS) {
                records += batch.count();
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(records).isEqualTo(expected);
            return allocated;
        }
    }

    private static PcapFeed feed(Path file, double speed, AtomicLong clock) {
        return new PcapFeed(
                file,
                new PortFilter(PORT, PortFilter.Side.DESTINATION),
                new AccountingRequestFramer(null),
                speed,
                2048,
                clock::get);
    }
}
