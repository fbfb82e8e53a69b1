package io.millrace.feed.pcap;

import java.io.IOException;

/**
 * Reads pcap, of either byte order, in microseconds or nanoseconds (draft-ietf-opsawg-pcap).
 *
 * <pre>
 * file    0 magic(4)    4 major(2) 6 minor(2)  8 reserved(8)  16 snaplen(4)  20 link type(4, low 16 bits)
 * packet  0 seconds(4)  4 fraction(4)          8 captured(4)  12 length(4)   16 bytes(captured)
 * </pre>
 */
final class PcapReader extends CaptureReader {

    static final int MICROSECONDS = 0xa1b2c3d4;
    static final int NANOSECONDS = 0xa1b23c4d;

    private static final int FILE_HEADER_BYTES = 24;
    private static final int PACKET_HEADER_BYTES = 16;
    private static final int MAJOR = 2;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final TimestampUnit unit;
    private final int linkType;
    private int toSkip;

    /**
     * @param input at the start of the file, with the byte order of its magic number
     * @param unit of the packets' fractions of a second
     */
    PcapReader(CaptureInput input, TimestampUnit unit) throws IOException {
        super(input);
        this.unit = unit;
        int available = input.fill(FILE_HEADER_BYTES);
        if (available < FILE_HEADER_BYTES) {
            throw input.damaged("the file ends after " + available + " of the " + FILE_HEADER_BYTES
                    + " bytes of its header. Use a capture with packets.");
        }
        if (input.u16(4) != MAJOR) {
            throw input.damaged(
                    "unknown version " + input.u16(4) + "." + input.u16(6) + " of pcap. Use version " + MAJOR + ".");
        }
        linkType = (int) input.u32(20) & 0xffff;
        if (!LinkLayer.isKnown(linkType)) {
            throw input.damaged("unknown link type " + linkType + ". Use one of: " + LinkLayer.KNOWN + ".");
        }
        input.skip(FILE_HEADER_BYTES);
    }

    @Override
    Next next(Packet packet) throws IOException {
        input.skip(toSkip);
        toSkip = 0;
        int available = input.fill(PACKET_HEADER_BYTES);
        if (available == 0) {
            return Next.END;
        }
        if (available < PACKET_HEADER_BYTES) {
            return cut(packet, 0, available, PACKET_HEADER_BYTES, "packet's header");
        }
        long captured = input.u32(8);
        if (captured > CaptureInput.LONGEST_PACKET) {
            throw input.damaged(
                    "packet of " + captured + " bytes, longer than any packet. Use an intact copy of the file.");
        }
        int packetEnd = PACKET_HEADER_BYTES + (int) captured;
        available = input.fill(packetEnd);
        if (available < packetEnd) {
            return cut(packet, PACKET_HEADER_BYTES, available, (int) captured, "packet");
        }
        packet.show(
                input.bytes(),
                input.offset() + PACKET_HEADER_BYTES,
                (int) captured,
                Math.max(captured, input.u32(12)),
                linkType,
                input.u32(0) * NANOS_PER_SECOND + unit.nanos(input.u32(4)));
        toSkip = packetEnd;
        return Next.PACKET;
    }

    private Next cut(Packet packet, int headerBytes, int available, int wanted, String what) {
        int left = available - headerBytes;
        packet.show(input.bytes(), input.offset() + headerBytes, left, wanted, linkType, 0);
        toSkip = available;
        return piece("Truncated " + what + " at the end of the capture: " + left + " of " + wanted + " bytes.");
    }
}
