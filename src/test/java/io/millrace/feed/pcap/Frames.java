package io.millrace.feed.pcap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Builds packets from the inside out: datagrams, IP packets and fragments of them, link-layer headers. */
final class Frames {

    static final int PORT = 1813;
    static final int UDP = 17;
    static final int TCP = 6;

    private Frames() {}

    static byte[] udp(int source, int destination, byte... payload) {
        return ByteBuffer.allocate(8 + payload.length)
                .putShort((short) source)
                .putShort((short) destination)
                .putShort((short) (8 + payload.length))
                .putShort((short) 0)
                .put(payload)
                .array();
    }

    /** A datagram to the port. */
    static byte[] udp(byte... payload) {
        return udp(40_000, PORT, payload);
    }

    static byte[] ipv4(int protocol, byte... payload) {
        return ipv4Fragment(protocol, 1, 0, false, payload);
    }

    static byte[] ipv4Fragment(int protocol, int id, int offset, boolean more, byte... payload) {
        return ByteBuffer.allocate(24 + payload.length)
                .put((byte) 0x46)
                .put((byte) 0)
                .putShort((short) (24 + payload.length))
                .putShort((short) id)
                .putShort((short) ((offset / 8) | (more ? 0x2000 : 0)))
                .put((byte) 64)
                .put((byte) protocol)
                .putShort((short) 0)
                .putInt(0x0a000001)
                .putInt(0x0a000002)
                .putInt(0x01010101) // four options that do nothing
                .put(payload)
                .array();
    }

    static byte[] ipv6(int next, byte... payload) {
        ByteBuffer packet = ByteBuffer.allocate(40 + payload.length)
                .putInt(0x60000000)
                .putShort((short) payload.length)
                .put((byte) next)
                .put((byte) 64);
        for (int i = 0; i < 32; i++) {
            packet.put((byte) i);
        }
        return packet.put(payload).array();
    }

    /** An IPv6 extension header of eight bytes and more, before what follows. */
    static byte[] extension(int next, int units, byte... payload) {
        byte[] header = new byte[8 + units * 8];
        header[0] = (byte) next;
        header[1] = (byte) units;
        return join(header, payload);
    }

    static byte[] ipv6Fragment(int next, int id, int offset, boolean more, byte... payload) {
        ByteBuffer header = ByteBuffer.allocate(8)
                .put((byte) next)
                .put((byte) 0)
                .putShort((short) (offset | (more ? 1 : 0)))
                .putInt(id);
        return ipv6(44, join(header.array(), payload));
    }

    /** An IP payload cut into IPv4 fragments of so many bytes, in order. */
    static List<byte[]> fragments(int id, int size, byte... payload) {
        List<byte[]> fragments = new ArrayList<>();
        for (int at = 0; at < payload.length; at += size) {
            int end = Math.min(payload.length, at + size);
            fragments.add(ipv4Fragment(UDP, id, at, end < payload.length, Arrays.copyOfRange(payload, at, end)));
        }
        return fragments;
    }

    /** An Ethernet frame with tags of virtual networks, and padding behind short packets. */
    static byte[] ethernet(byte[] ip, int... tags) {
        ByteBuffer frame = ByteBuffer.allocate(Math.max(64, 14 + tags.length * 4 + ip.length));
        frame.position(12);
        for (int tag : tags) {
            frame.putShort((short) tag).putShort((short) 5);
        }
        return frame.putShort(etherType(ip)).put(ip).array();
    }

    static byte[] cooked(byte[] ip) {
        return ByteBuffer.allocate(16 + ip.length)
                .position(14)
                .putShort(etherType(ip))
                .put(ip)
                .array();
    }

    static byte[] cooked2(byte[] ip) {
        return ByteBuffer.allocate(20 + ip.length)
                .putShort(etherType(ip))
                .position(20)
                .put(ip)
                .array();
    }

    static byte[] loopback(ByteOrder order, int family, byte[] ip) {
        return ByteBuffer.allocate(4 + ip.length)
                .order(order)
                .putInt(family)
                .put(ip)
                .array();
    }

    private static short etherType(byte[] ip) {
        return (short) ((ip[0] >>> 4) == 4 ? 0x0800 : 0x86dd);
    }

    static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
