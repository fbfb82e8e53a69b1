package io.millrace.feed.pcap;

import io.millrace.codec.RawBytes;
import io.millrace.feed.pcap.PcapngInterfaces.Interface;
import java.io.IOException;

/**
 * Reads pcapng (draft-ietf-opsawg-pcapng): sections of either byte order, each with its interfaces, whose packets are
 * stored in enhanced, simple or obsolete packet blocks. Skips other blocks.
 *
 * <pre>
 * block      0 type(4)  4 length(4)  8 body, options, padding  length-4 length(4)
 * section    8 byte-order magic(4)  12 major(2)  14 minor(2)  16 section length(8)
 * interface  8 link type(2)  10 reserved(2)  12 snaplen(4)  16 options
 * enhanced   8 interface(4)  12 time high(4)  16 time low(4)  20 captured(4)  24 length(4)  28 bytes
 * obsolete   8 interface(2)  10 drops(2)  12 time high(4)  16 time low(4)  20 captured(4)  24 length(4)  28 bytes
 * simple     8 length(4)  12 bytes
 * </pre>
 */
final class PcapngReader extends CaptureReader {

    /** Type of a section header block: the same in either byte order. */
    static final int SECTION = 0x0a0d0d0a;

    private static final int INTERFACE = 1;
    private static final int OBSOLETE_PACKET = 2;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;
    private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
    private static final int MAJOR = 1;
    private static final int HEADER_BYTES = 8;
    private static final int TRAILER_BYTES = 4;
    private static final int SECTION_BYTES = 28;
    private static final int INTERFACE_BYTES = 20;
    private static final int SIMPLE_BYTES = 12;
    private static final int PACKET_BYTES = 28;
    private static final int OPTION_TSRESOL = 9;
    private static final int OPTION_TSOFFSET = 14;
    /** Maximum number of bytes of a block that a piece contains. */
    private static final int LONGEST_PIECE = 65_536;

    private final PcapngInterfaces interfaces = new PcapngInterfaces();
    private long toSkip;
    private long lastNanos;

    /** @param input at the start of the file, which is a section header block */
    PcapngReader(CaptureInput input) {
        super(input);
    }

    @Override
    Next next(Packet packet) throws IOException {
        input.skip(toSkip);
        toSkip = 0;
        int available = input.fill(HEADER_BYTES + TRAILER_BYTES);
        if (available == 0) {
            return Next.END;
        }
        if (available < HEADER_BYTES + TRAILER_BYTES) {
            return cut(packet, available, HEADER_BYTES + TRAILER_BYTES);
        }
        int type = RawBytes.getInt(input.bytes(), input.offset());
        if (type == SECTION) {
            readByteOrder();
        }
        type = (int) input.u32(0);
        long length = input.u32(4);
        if (length < HEADER_BYTES + TRAILER_BYTES || length % 4 != 0) {
            throw input.damaged("impossible block length " + length + ". Use an intact copy of the file.");
        }
        return isRead(type) ? read(packet, type, length) : skip(packet, length);
    }

    private static boolean isRead(int type) {
        return type == SECTION
                || type == INTERFACE
                || type == ENHANCED_PACKET
                || type == SIMPLE_PACKET
                || type == OBSOLETE_PACKET;
    }

    private void readByteOrder() throws CaptureException {
        int magic = RawBytes.getInt(input.bytes(), input.offset() + HEADER_BYTES);
        if (magic != BYTE_ORDER_MAGIC && magic != Integer.reverseBytes(BYTE_ORDER_MAGIC)) {
            throw input.damaged("a section without its byte-order magic. Use an intact copy of the file.");
        }
        input.littleEndian(magic != BYTE_ORDER_MAGIC);
    }

    /** Skips a block of another type. */
    private Next skip(Packet packet, long length) throws IOException {
        long left = input.left();
        if (left < length) {
            int available = input.fill((int) Math.min(left, LONGEST_PIECE));
            Next cut = cut(packet, Math.min(available, LONGEST_PIECE), length);
            toSkip = left;
            return cut;
        }
        toSkip = length;
        return Next.OTHER;
    }

    /** Reads a block. */
    private Next read(Packet packet, int type, long length) throws IOException {
        if (length > CaptureInput.WINDOW_BYTES) {
            throw input.damaged("block of type " + type + " and " + length
                    + " bytes, longer than any packet needs. Use an intact copy of the file.");
        }
        int available = input.fill((int) length);
        if (available < length) {
            return cut(packet, available, length);
        }
        if (input.u32((int) length - TRAILER_BYTES) != length) {
            throw input.damaged("block length " + length + ", but " + input.u32((int) length - TRAILER_BYTES)
                    + " at the end of the block. Use an intact copy of the file.");
        }
        toSkip = length;
        return switch (type) {
            case SECTION -> section((int) length);
            case INTERFACE -> describe((int) length);
            case SIMPLE_PACKET -> simple(packet, (int) length);
            default -> packet(packet, (int) length, type == ENHANCED_PACKET ? input.u32(8) : input.u16(8));
        };
    }

    private Next section(int length) throws CaptureException {
        if (length < SECTION_BYTES || input.u16(12) != MAJOR) {
            throw input.damaged("section of " + length
                    + " bytes, incomplete or of an unknown version of pcapng. Use version " + MAJOR + ".");
        }
        interfaces.clear();
        return Next.OTHER;
    }

    private Next describe(int length) throws CaptureException {
        if (length < INTERFACE_BYTES || interfaces.size() == PcapngInterfaces.MAX_INTERFACES) {
            throw input.damaged("description of interface " + interfaces.size() + " of " + length
                    + " bytes: too short, or more than " + PcapngInterfaces.MAX_INTERFACES
                    + " interfaces. Use an intact copy of the file.");
        }
        TimestampUnit unit = TimestampUnit.MICROSECONDS;
        long offsetSeconds = 0;
        int end = length - TRAILER_BYTES;
        int at = INTERFACE_BYTES - TRAILER_BYTES;
        while (at + 4 <= end && input.u16(at) != 0) {
            int bytes = input.u16(at + 2);
            if (bytes > end - at - 4) {
                break;
            }
            if (input.u16(at) == OPTION_TSRESOL && bytes == 1) {
                unit = TimestampUnit.ofOption(input.bytes()[input.offset() + at + 4] & 0xff);
            } else if (input.u16(at) == OPTION_TSOFFSET && bytes == 8) {
                offsetSeconds = input.i64(at + 4);
            }
            at += 4 + bytes + (-bytes & 3);
        }
        interfaces.add(new Interface(input.u16(8), input.u32(12), unit, offsetSeconds));
        return Next.OTHER;
    }

    private Next simple(Packet packet, int length) {
        Interface first = interfaces.get(0);
        if (first == null || length < SIMPLE_BYTES + TRAILER_BYTES) {
            return broken(packet, length, "a simple packet block without an interface, or too short");
        }
        long original = input.u32(8);
        long captured = Math.min(original, length - SIMPLE_BYTES - TRAILER_BYTES);
        if (first.snapLength() != 0) {
            captured = Math.min(captured, first.snapLength());
        }
        packet.show(
                input.bytes(), input.offset() + SIMPLE_BYTES, (int) captured, original, first.linkType(), lastNanos);
        return Next.PACKET;
    }

    private Next packet(Packet packet, int length, long number) {
        Interface source = interfaces.get(number);
        if (source == null) {
            return broken(packet, length, "a packet block of interface " + number + ", which is not described");
        }
        if (length < PACKET_BYTES + TRAILER_BYTES || input.u32(20) > length - PACKET_BYTES - TRAILER_BYTES) {
            return broken(packet, length, "a packet block whose packet does not lie inside");
        }
        long captured = input.u32(20);
        lastNanos = source.nanos((input.u32(12) << Integer.SIZE) | input.u32(16));
        packet.show(
                input.bytes(),
                input.offset() + PACKET_BYTES,
                (int) captured,
                Math.max(captured, input.u32(24)),
                source.linkType(),
                lastNanos);
        return Next.PACKET;
    }

    private Next broken(Packet packet, int length, String what) {
        packet.show(input.bytes(), input.offset(), Math.min(length, LONGEST_PIECE), length, 0, lastNanos);
        return piece(what + ", at byte " + input.position() + " of the capture");
    }

    private Next cut(Packet packet, int available, long wanted) {
        packet.show(input.bytes(), input.offset(), available, wanted, 0, lastNanos);
        toSkip = available;
        return piece("Truncated block at the end of the capture: " + available + " of " + wanted + " bytes.");
    }
}
