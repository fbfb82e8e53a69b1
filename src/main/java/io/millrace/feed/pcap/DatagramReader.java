package io.millrace.feed.pcap;

import io.millrace.codec.RawBytes;
import java.io.IOException;

/**
 * Reads the UDP datagrams (RFC 768) that a filter on ports admits out of a capture's packets; counts the others. Not
 * thread-safe; allocates nothing for a packet.
 */
final class DatagramReader {

    /** What was come upon. */
    enum Next {
        DATAGRAM,
        /** Bytes at the capture's end, or a damaged block, that hold no whole packet. */
        PIECE,
        /** None within the bytes that were to be read. */
        PAUSE,
        END
    }

    private static final int HEADER_BYTES = 8;

    private final CaptureReader capture;
    private final PortFilter ports;
    private final PcapCounters counters;
    private final Packet packet = new Packet();
    private final IpPacket ip = new IpPacket();
    private final Datagram datagram = new Datagram();
    private final Reassembly reassembly;

    DatagramReader(CaptureReader capture, PortFilter ports, PcapCounters counters) {
        this.capture = capture;
        this.ports = ports;
        this.counters = counters;
        this.reassembly = new Reassembly(counters);
    }

    /** The datagram that was come upon last. */
    Datagram datagram() {
        return datagram;
    }

    /** The bytes that were come upon last. */
    Packet piece() {
        return packet;
    }

    /**
     * Goes to the next datagram.
     *
     * @param readUpTo position in the file where to pause
     */
    Next next(long readUpTo) throws IOException {
        while (capture.position() < readUpTo) {
            switch (capture.next(packet)) {
                case PACKET -> {
                    counters.packets.add(1);
                    if (isDatagram()) {
                        return Next.DATAGRAM;
                    }
                }
                case PIECE -> {
                    return Next.PIECE;
                }
                case END -> {
                    reassembly.end();
                    return Next.END;
                }
            }
        }
        return Next.PAUSE;
    }

    private boolean isDatagram() {
        if (!LinkLayer.isKnown(packet.linkType())) {
            counters.unknownLinks.add(1);
            return false;
        }
        int network = LinkLayer.network(packet);
        if (network < 0) {
            (network == LinkLayer.CUT ? counters.cut : counters.notUdp).add(1);
            return false;
        }
        IpPacket.Found found = ip.wrap(
                packet.bytes(), packet.offset() + network, packet.captured() - network, packet.length() - network);
        return switch (found) {
            case UDP -> isAdmitted();
            case FRAGMENT -> isWhole();
            case OTHER -> {
                counters.notUdp.add(1);
                yield false;
            }
            case CUT -> {
                counters.cut.add(1);
                yield false;
            }
        };
    }

    /** Whether a fragment makes a datagram whole that is admitted. */
    private boolean isWhole() {
        counters.fragments.add(1);
        if (ip.captured() < ip.length()) {
            counters.cut.add(1);
            return false;
        }
        PartialDatagram whole = reassembly.add(ip, packet.nanos());
        if (whole == null) {
            return false;
        }
        if (ip.wrapPayload(whole.bytes(), whole.length(), whole.protocol()) != IpPacket.Found.UDP) {
            counters.notUdp.add(1);
            return false;
        }
        return isAdmitted();
    }

    private boolean isAdmitted() {
        int at = ip.payload();
        if (ip.captured() < HEADER_BYTES) {
            (ip.length() < HEADER_BYTES ? counters.notUdp : counters.cut).add(1);
            return false;
        }
        if (!ports.admits(u16(at), u16(at + 2))) {
            counters.otherPorts.add(1);
            return false;
        }
        int stated = u16(at + 4);
        // Zero stands in IPv6 datagrams that are too long for their length, and in those not yet cut by a network card.
        long length = stated == 0 ? ip.length() : stated;
        if (length < HEADER_BYTES || length > ip.length() || length > PartialDatagram.LONGEST) {
            counters.notUdp.add(1);
            return false;
        }
        int captured = (int) Math.min(ip.captured(), length);
        datagram.show(
                ip.bytes(), at + HEADER_BYTES, captured - HEADER_BYTES, (int) length - HEADER_BYTES, packet.nanos());
        return true;
    }

    private int u16(int at) {
        return Short.toUnsignedInt(RawBytes.getShort(ip.bytes(), at));
    }

    /** Why the last piece is no packet. */
    String detail() {
        return capture.detail();
    }

    /** Position in the file up to which it was read, in bytes. */
    long position() {
        return capture.position();
    }
}
