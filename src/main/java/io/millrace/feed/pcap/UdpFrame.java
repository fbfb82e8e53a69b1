package io.millrace.feed.pcap;

import java.nio.ByteBuffer;

/**
 * Creates Ethernet frames of UDP datagrams over IPv4, including checksums.
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

    /** Link-layer type of the frames, as a number of pcap. */
    public static final int ETHERNET = 1;

    private static final int ETHERNET_HEADER = 14;
    private static final int IP_HEADER = 20;
    private static final int UDP_HEADER = 8;
    private static final int IP_CHECKSUM_AT = ETHERNET_HEADER + 10;
    private static final int ADDRESSES_AT = ETHERNET_HEADER + 12;
    private static final int UDP_AT = ETHERNET_HEADER + IP_HEADER;
    private static final int UDP_CHECKSUM_AT = UDP_AT + 6;

    /** First two octets of a locally administered MAC address; the IPv4 address follows them. */
    private static final short LOCAL = 0x0200;

    private static final short IPV4 = 0x0800;
    private static final byte VERSION_AND_LENGTH = 0x45;
    private static final byte TIME_TO_LIVE = 64;
    private static final int UDP = 17;

    private UdpFrame() {}

    /**
     * Returns a frame in an array of its own.
     *
     * @param source address of the sender, first octet highest
     * @param target address of the receiver
     * @param payload array that contains the datagram's payload
     */
    public static byte[] of(
            int source, int sourcePort, int target, int targetPort, byte[] payload, int at, int length) {
        int datagram = UDP_HEADER + length;
        ByteBuffer frame = ByteBuffer.allocate(UDP_AT + datagram)
                .putShort(LOCAL)
                .putInt(target)
                .putShort(LOCAL)
                .putInt(source)
                .putShort(IPV4)
                .put(VERSION_AND_LENGTH)
                .put((byte) 0)
                .putShort((short) (IP_HEADER + datagram))
                .putInt(0) // not fragmented
                .put(TIME_TO_LIVE)
                .put((byte) UDP)
                .putShort((short) 0)
                .putInt(source)
                .putInt(target)
                .putShort((short) sourcePort)
                .putShort((short) targetPort)
                .putShort((short) datagram)
                .putShort((short) 0)
                .put(payload, at, length);
        frame.putShort(IP_CHECKSUM_AT, checksum(sum(frame, ETHERNET_HEADER, UDP_AT)));
        short checksum = checksum(sum(frame, ADDRESSES_AT, frame.limit()) + UDP + datagram);
        frame.putShort(UDP_CHECKSUM_AT, checksum == 0 ? -1 : checksum); // 0 would mean no checksum
        return frame.array();
    }

    private static long sum(ByteBuffer frame, int start, int end) {
        long sum = 0;
        int at = start;
        for (; at < end - 1; at += Short.BYTES) {
            sum += frame.getShort(at) & 0xFFFF;
        }
        return at < end ? sum + ((frame.get(at) & 0xFF) << Byte.SIZE) : sum;
    }

    /** Returns the complement of a one's complement sum (RFC 1071). */
    private static short checksum(long sum) {
        long folded = sum;
        while (folded > 0xFFFF) {
            folded = (folded & 0xFFFF) + (folded >>> Short.SIZE);
        }
        return (short) ~folded;
    }
}
