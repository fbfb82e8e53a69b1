package io.millrace.feed.pcap;

import java.nio.ByteBuffer;

/**
 * Makes Ethernet frames of UDP datagrams over IPv4, checksums included.
 *
 * <pre>
 *    0                  14                34           42
 *    +------------------+-----------------+------------+-------------+
 *    | Ethernet (IEEE)  | IPv4 (RFC 791)  | UDP (768)  | payload ... |
 *    +------------------+-----------------+------------+-------------+
 * </pre>
 *
 * Stateless.
 */
public final class UdpFrame {

    /** The number in pcap of the link that the frames belong to. */
    public static final int ETHERNET = 1;

    private static final int ETHERNET_HEADER = 14;
    private static final int IP_HEADER = 20;
    private static final int UDP_HEADER = 8;
    private static final int IP_CHECKSUM_AT = ETHERNET_HEADER + 10;
    private static final int ADDRESSES_AT = ETHERNET_HEADER + 12;
    private static final int UDP_AT = ETHERNET_HEADER + IP_HEADER;
    private static final int UDP_CHECKSUM_AT = UDP_AT + 6;

    /** Made up by no vendor: locally administered, with the IPv4 address behind these two octets. */
    private static final short LOCAL = 0x0200;

    private static final short IPV4 = 0x0800;
    private static final byte VERSION_AND_LENGTH = 0x45;
    private static final byte TIME_TO_LIVE = 64;
    private static final int UDP = 17;

    private UdpFrame() {}

    /**
     * A frame of its own array.
     *
     * @param from address of the sender, first octet highest
     * @param to address of the receiver
     * @param payload in which the datagram's octets lie
     */
    public static byte[] of(int from, int fromPort, int to, int toPort, byte[] payload, int at, int length) {
        int datagram = UDP_HEADER + length;
        ByteBuffer frame = ByteBuffer.allocate(UDP_AT + datagram)
                .putShort(LOCAL)
                .putInt(to)
                .putShort(LOCAL)
                .putInt(from)
                .putShort(IPV4)
                .put(VERSION_AND_LENGTH)
                .put((byte) 0)
                .putShort((short) (IP_HEADER + datagram))
                .putInt(0) // no fragment of anything
                .put(TIME_TO_LIVE)
                .put((byte) UDP)
                .putShort((short) 0)
                .putInt(from)
                .putInt(to)
                .putShort((short) fromPort)
                .putShort((short) toPort)
                .putShort((short) datagram)
                .putShort((short) 0)
                .put(payload, at, length);
        frame.putShort(IP_CHECKSUM_AT, checksum(sum(frame, ETHERNET_HEADER, UDP_AT)));
        short checksum = checksum(sum(frame, ADDRESSES_AT, frame.limit()) + UDP + datagram);
        frame.putShort(UDP_CHECKSUM_AT, checksum == 0 ? -1 : checksum); // 0 would say that there is none
        return frame.array();
    }

    private static long sum(ByteBuffer frame, int from, int to) {
        long sum = 0;
        int at = from;
        for (; at < to - 1; at += Short.BYTES) {
            sum += frame.getShort(at) & 0xFFFF;
        }
        return at < to ? sum + ((frame.get(at) & 0xFF) << Byte.SIZE) : sum;
    }

    /** The complement of a sum in one's complement (RFC 1071). */
    private static short checksum(long sum) {
        long folded = sum;
        while (folded > 0xFFFF) {
            folded = (folded & 0xFFFF) + (folded >>> Short.SIZE);
        }
        return (short) ~folded;
    }
}
