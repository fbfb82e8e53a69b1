package io.millrace.feed.pcap;

import io.millrace.codec.RawBytes;
import java.io.IOException;

/**
 * Reads the UDP datagrams (RFC 768) that a port filter admits from a capture's packets, and counts the others. Not
 * thread-safe; allocates nothing per packet.
 */
final class DatagramReader {

    /** The result of reading. */
    enum Next {
        DATAGRAM,
        /** Bytes at the end of the capture, or of a damaged block, that contain no complete packet. */
        PIECE,
        /** The position to pause at was reached before a datagram. */
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

    /** Returns the datagram read last. */
    Datagram datagram() {
        return datagram;
    }

    /** Returns the piece read last. */
    Packet piece() {
        return packet;
    }

    /**
     * Reads the next datagram.
     *
     * @param readUpTo position in the file at which to pause
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
                case OTHER -> {}
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
            case FRAGMENT -> completesDatagram();
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

    /** Adds a fragment and returns whether it completes an admitted datagram. */
    private boolean completesDatagram() {
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
        // Zero in IPv6 jumbograms, and in datagrams captured before the network card segmented them.
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

    /** Returns the defect of the last piece. */
    String detail() {
        return capture.detail();
    }

    /** Returns the position in the file up to which it was read, in bytes. */
    long position() {
        return capture.position();
    }
}
