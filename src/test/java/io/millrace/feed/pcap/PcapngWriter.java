package io.millrace.feed.pcap;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes captures in pcapng. */
final class PcapngWriter {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private ByteOrder order;

    PcapngWriter(ByteOrder order) {
        this.order = order;
        section(order);
    }

    /** Begins a section, whose interfaces are counted from 0 again. */
    PcapngWriter section(ByteOrder newOrder) {
        order = newOrder;
        return block(
                0x0a0d0d0a,
                buffer(16)
                        .putInt(0x1a2b3c4d)
                        .putShort((short) 1)
                        .putShort((short) 0)
                        .putLong(-1)
                        .array());
    }

    /** An interface whose timestamps are in microseconds. */
    PcapngWriter describe(int linkType) {
        return block(
                1,
                buffer(8)
                        .putShort((short) linkType)
                        .putShort((short) 0)
                        .putInt(0)
                        .array());
    }

    /** An interface with a name, a unit of time, and seconds to add to each time. */
    PcapngWriter describe(int linkType, int tsresol, long offsetSeconds) {
        return block(
                1,
                buffer(8 + 8 + 8 + 12 + 4)
                        .putShort((short) linkType)
                        .putShort((short) 0)
                        .putInt(0)
                        .putShort((short) 2)
                        .putShort((short) 3)
                        .put(new byte[] {'l', 'o', '0', 0})
                        .putShort((short) 9)
                        .putShort((short) 1)
                        .put(new byte[] {(byte) tsresol, 0, 0, 0})
                        .putShort((short) 14)
                        .putShort((short) 8)
                        .putLong(offsetSeconds)
                        .putInt(0)
                        .array());
    }

    PcapngWriter enhanced(int from, long time, byte[] bytes) {
        return enhanced(from, time, bytes, bytes.length);
    }

    /** A packet of which only the first bytes were captured; an option stands behind it. */
    PcapngWriter enhanced(int from, long time, byte[] bytes, int captured) {
        byte[] block = new byte[20 + padded(captured) + 12];
        ByteBuffer body = ByteBuffer.wrap(block).order(order);
        body.putInt(from).putInt((int) (time >>> 32)).putInt((int) time);
        body.putInt(captured).putInt(bytes.length).put(bytes, 0, captured);
        body.position(20 + padded(captured))
                .putShort((short) 2)
                .putShort((short) 4)
                .putInt(1)
                .putInt(0);
        return block(6, block);
    }

    PcapngWriter obsolete(int from, long time, byte[] bytes) {
        byte[] block = new byte[20 + padded(bytes.length)];
        ByteBuffer body = ByteBuffer.wrap(block).order(order);
        body.putShort((short) from)
                .putShort((short) 3)
                .putInt((int) (time >>> 32))
                .putInt((int) time);
        body.putInt(bytes.length).putInt(bytes.length).put(bytes);
        return block(2, block);
    }

    PcapngWriter simple(byte[] bytes) {
        return block(
                3,
                buffer(4 + padded(bytes.length)).putInt(bytes.length).put(bytes).array());
    }

    PcapngWriter block(int type, byte[] body) {
        int length = 12 + body.length;
        out.writeBytes(buffer(length)
                .putInt(type)
                .putInt(length)
                .put(body)
                .putInt(length)
                .array());
        return this;
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    private static int padded(int bytes) {
        return bytes + (-bytes & 3);
    }

    private ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(order);
    }
}
