package io.millrace.feed.pcap;

import static io.millrace.feed.pcap.Frames.UDP;
import static io.millrace.feed.pcap.Frames.ipv4;
import static io.millrace.feed.pcap.Frames.join;
import static io.millrace.feed.pcap.Frames.udp;
import static io.millrace.feed.pcap.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.radius.packet.AccountingRequestFramer;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures made to mislead a reader: each has the outcome of its row, in little memory. */
class HostileCaptureTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** Two arrays of the feed of a mebibyte each, and payloads of fragments. */
    private static final long MAX_BYTES = 12 << 20;

    private static final byte[] PACKET = ipv4(UDP, udp(request(7)));
    private static final int RAW = 101;
    private static final int OTHER_BLOCK = 0x0bad;
    private static final int DECRYPTION_SECRETS = 10;

    @TempDir
    Path folder;

    /**
     * An attack.
     *
     * @param pieces beginnings of the messages of pieces
     * @param refusal part of the message if the rest of the file is refused, or null
     */
    record Attack(
            String name,
            byte[] capture,
            int records,
            List<String> pieces,
            @Nullable String refusal) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Attack read(String name, PcapngWriter capture, int records, String... pieces) {
        return new Attack(name, capture.toBytes(), records, List.of(pieces), null);
    }

    private static Attack refused(String name, byte[] capture, int records, String refusal) {
        return new Attack(name, capture, records, List.of(), refusal);
    }

    private static PcapngWriter pcapng() {
        return new PcapngWriter(ByteOrder.LITTLE_ENDIAN).describe(RAW);
    }

    /** Returns the capture of a packet, followed by a block that states a length. */
    private static byte[] withLength(int type, int length, int trailer) {
        ByteBuffer block = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        block.putInt(type).putInt(length).putInt(28, trailer);
        return join(pcapng().enhanced(0, 1, PACKET).toBytes(), block.array());
    }

    private static byte[] packetOf(int captured, int original) {
        byte[] body = new byte[20 + 40];
        ByteBuffer.wrap(body)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(12, captured)
                .putInt(16, original);
        return body;
    }

    /** Returns an interface whose options are these bytes. */
    private static byte[] describedBy(byte... options) {
        byte[] body = new byte[8 + options.length + (-options.length & 3)];
        body[0] = RAW;
        System.arraycopy(options, 0, body, 8, options.length);
        return body;
    }

    private static byte[] pcap(int captured, int original) {
        ByteBuffer header = ByteBuffer.allocate(16 + 40);
        header.putInt(8, captured).putInt(12, original);
        return join(
                new PcapWriter(ByteOrder.BIG_ENDIAN, false, RAW)
                        .packet(1, PACKET)
                        .toBytes(),
                header.array());
    }

    private static byte[] sectionWithLength(long length) {
        byte[] capture = pcapng().enhanced(0, 1, PACKET).toBytes();
        ByteBuffer.wrap(capture).order(ByteOrder.LITTLE_ENDIAN).putLong(16, length);
        return capture;
    }

    static Stream<Attack> attacks() {
        byte[] many = new byte[60_000];
        Arrays.fill(many, (byte) 1);
        for (int i = 2; i < many.length; i += 4) { // options of no bytes
            many[i] = 0;
            many[i + 1] = 0;
        }
        PcapngWriter interfaces = new PcapngWriter(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < PcapngInterfaces.MAX_INTERFACES; i++) {
            interfaces.describe(RAW, 255, Long.MIN_VALUE);
        }
        byte[] allInterfaces = interfaces.enhanced(65_535, -1, PACKET).toBytes();
        PcapngWriter sections = pcapng();
        for (int i = 0; i < 10_000; i++) {
            sections.section(i % 2 == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        }
        PcapngWriter units = new PcapngWriter(ByteOrder.BIG_ENDIAN);
        for (int unit = 0; unit < 256; unit++) {
            long offset = unit % 3 == 0 ? Long.MAX_VALUE : unit % 3 == 1 ? Long.MIN_VALUE : 0;
            units.describe(RAW, unit, offset).enhanced(unit, unit % 2 == 0 ? -1 : Long.MIN_VALUE, PACKET);
        }
        byte[] cut = pcapng().enhanced(0, 1, PACKET).enhanced(0, 1, PACKET).toBytes();
        return Stream.of(
                refused("block length 0", withLength(6, 0, 0), 1, "impossible block length 0"),
                refused("block length 4", withLength(6, 4, 4), 1, "impossible block length 4"),
                refused("block length 13", withLength(6, 13, 13), 1, "impossible block length 13"),
                refused("block length 2^32-1", withLength(6, -1, -1), 1, "impossible block length 4294967295"),
                refused("block length 2^32-4", withLength(6, -4, -4), 1, "longer than any packet needs"),
                refused("block length 2^31", withLength(6, 1 << 31, 1 << 31), 1, "longer than any packet needs"),
                refused("other length at the end", withLength(6, 32, 36), 1, "but 36 at the end of the block"),
                new Attack(
                        "unknown block of 2^32-4",
                        withLength(OTHER_BLOCK, -4, -4),
                        1,
                        List.of("Truncated block at the end of the capture: 32 of 4294967292"),
                        null),
                refused(
                        "unknown block of 2^32-1",
                        withLength(OTHER_BLOCK, -1, -1),
                        1,
                        "impossible block length 4294967295"),
                read(
                        "decryption secrets",
                        pcapng().block(DECRYPTION_SECRETS, new byte[60_000]).enhanced(0, 1, PACKET),
                        1),
                read(
                        "options that do not end",
                        new PcapngWriter(ByteOrder.LITTLE_ENDIAN)
                                .block(1, describedBy(many))
                                .enhanced(0, 1, PACKET),
                        1),
                read(
                        "an option longer than its block",
                        new PcapngWriter(ByteOrder.LITTLE_ENDIAN)
                                .block(1, describedBy((byte) 9, (byte) 0, (byte) 255, (byte) 255))
                                .enhanced(0, 1, PACKET),
                        1),
                read(
                        "an option header at the end of its block",
                        new PcapngWriter(ByteOrder.LITTLE_ENDIAN)
                                .block(1, describedBy((byte) 9, (byte) 0, (byte) 1, (byte) 0))
                                .enhanced(0, 1, PACKET),
                        1),
                read(
                        "interfaces out of range",
                        pcapng().enhanced(1, 1, PACKET).enhanced(-1, 1, PACKET).enhanced(0, 1, PACKET),
                        1,
                        "a packet block of interface 1, which is not described",
                        "a packet block of interface 4294967295, which is not described"),
                read("all units and offsets of time", units, 256),
                read(
                        "captured lengths beyond the block",
                        pcapng().block(6, packetOf(-1, -1))
                                .block(6, packetOf(41, 41))
                                .block(6, packetOf(Integer.MAX_VALUE, 0))
                                .enhanced(0, 1, PACKET),
                        1,
                        "a packet block whose packet does not lie inside",
                        "a packet block whose packet does not lie inside",
                        "a packet block whose packet does not lie inside"),
                read(
                        "an original length of 2^32-1, and 0",
                        pcapng().block(6, packetOf(40, -1))
                                .block(6, packetOf(40, 0))
                                .enhanced(0, 1, PACKET),
                        1),
                read(
                        "a simple packet of 2^32-1 bytes",
                        pcapng().block(3, new byte[] {-1, -1, -1, -1, 0, 0, 0, 0})
                                .enhanced(0, 1, PACKET),
                        1),
                read(
                        "10,000 sections of changing byte order",
                        sections.describe(RAW).enhanced(0, 1, PACKET),
                        1),
                new Attack("65,536 interfaces", allInterfaces, 1, List.of(), null),
                refused("65,537 interfaces", interfaces.describe(RAW).toBytes(), 1, "more than 65536 interfaces"),
                new Attack("section length 0", sectionWithLength(0), 1, List.of(), null),
                new Attack("section length -1", sectionWithLength(-1), 1, List.of(), null),
                new Attack("section length 2^63-1", sectionWithLength(Long.MAX_VALUE), 1, List.of(), null),
                refused(
                        "a section without its magic",
                        join(
                                pcapng().enhanced(0, 1, PACKET).toBytes(),
                                new byte[] {0x0a, 0x0d, 0x0d, 0x0a, 28, 0, 0, 0, 1, 2, 3, 4}),
                        1,
                        "a section without its byte-order magic"),
                refused(
                        "a short section",
                        pcapng().enhanced(0, 1, PACKET)
                                .block(0x0a0d0d0a, new byte[] {0x4d, 0x3c, 0x2b, 0x1a})
                                .toBytes(),
                        1,
                        "section of 16 bytes, incomplete"),
                refused("pcap: a packet of 2^32-1 bytes", pcap(-1, -1), 1, "packet of 4294967295 bytes"),
                refused("pcap: a packet of 2^31 bytes", pcap(1 << 31, 0), 1, "packet of 2147483648 bytes"),
                new Attack("pcap: an original length of 0", pcap(40, 0), 1, List.of(), null),
                new Attack(
                        "a block cut off",
                        Arrays.copyOf(cut, cut.length - 5),
                        1,
                        List.of("Truncated block at the end of the capture"),
                        null));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void shouldHaveTheOutcomeOfEachAttack(Attack attack) throws IOException {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        if (attack.refusal == null) {
            Brought brought = Brought.of(folder, attack.capture);
            assertThat(brought.records()).hasSize(attack.records);
            List<String> details =
                    brought.pieces().values().stream().map(Piece::detail).toList();
            assertThat(details).hasSameSizeAs(attack.pieces);
            for (int i = 0; i < details.size(); i++) {
                assertThat(details.get(i)).startsWith(attack.pieces.get(i));
            }
        } else {
            assertThatThrownBy(() -> Brought.of(folder, attack.capture))
                    .isInstanceOf(CaptureException.class)
                    .hasMessageContaining(attack.refusal);
            assertThat(recordsBeforeFailure(attack.capture)).isEqualTo(attack.records);
        }
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(2 * MAX_BYTES + attack.capture.length);
    }

    private int recordsBeforeFailure(byte[] capture) throws IOException {
        int records = 0;
        RecordBatch batch = batch();
        try (PcapFeed feed = feed(Files.write(folder.resolve("x.pcap"), capture))) {
            feed.open(0);
            while (true) {
                if (feed.poll(batch, Duration.ZERO) == Poll.RECORDS) {
                    records += batch.count();
                }
            }
        } catch (CaptureException _) {
            return records;
        }
    }

    private static RecordBatch batch() {
        return new RecordBatch(new Schema("any", 0, List.of(), List.of()));
    }

    private static PcapFeed feed(Path file) {
        return new PcapFeed(
                file,
                new PortFilter(Frames.PORT, PortFilter.Side.DESTINATION),
                new AccountingRequestFramer(null),
                0,
                100);
    }

    /** So that a pipeline can stop within a large file that has no packets. */
    @Test
    void shouldPauseInACaptureOfBlocksWithoutPackets() throws IOException {
        PcapngWriter writer = pcapng();
        for (int i = 0; i < 700; i++) {
            writer.block(OTHER_BLOCK, new byte[60_000]);
        }
        Path file = Files.write(
                folder.resolve("others.pcapng"), writer.enhanced(0, 1, PACKET).toBytes());
        try (PcapFeed feed = feed(file)) {
            RecordBatch batch = batch();
            feed.open(0);

            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.NOTHING_YET);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.RECORDS);
            assertThat(feed.poll(batch, Duration.ZERO)).isEqualTo(Poll.END);
        }
    }

    /** Each real capture, with bytes changed, cut off and repeated. */
    @ParameterizedTest
    @ValueSource(strings = {"freeradius_3gpp_session.pcap", "packets.pcap"})
    void shouldReadOrRefuseRealCapturesThatWereChanged(String name) throws IOException {
        byte[] real;
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream(name))) {
            real = in.readAllBytes();
        }
        Random random = new Random(20261127);
        for (int i = Integer.getInteger("millrace.fuzz.captures", 300); i > 0; i--) {
            byte[] changed = random.nextInt(4) == 0 ? Arrays.copyOf(real, random.nextInt(real.length)) : real.clone();
            for (int j = random.nextInt(5); j >= 0 && changed.length > 0; j--) {
                changed[random.nextInt(Math.min(changed.length, random.nextBoolean() ? 100 : changed.length))] =
                        (byte) (random.nextBoolean() ? random.nextInt() : -1);
            }
            PcapFeedFuzzTest.readOrRefuse(changed);
        }
    }
}
